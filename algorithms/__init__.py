if __name__ != "banditproof.algorithms":
    raise ImportError(f"{__name__}: import banditproof.algorithms instead, so that one module has one name")
