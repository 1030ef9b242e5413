if __name__ != "banditproof.theory":
    raise ImportError(f"{__name__}: import banditproof.theory instead, so that one module has one name")
