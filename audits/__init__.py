if __name__ != "banditproof.audits":
    raise ImportError(f"{__name__}: import banditproof.audits instead, so that one module has one name")
