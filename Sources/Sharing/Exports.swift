@_exported public import Storage
