let path = ""
