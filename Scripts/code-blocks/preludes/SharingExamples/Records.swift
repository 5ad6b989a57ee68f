// What the examples in doc comments use.
public import Examples
public import Sharing
