/// An integer type, which has SQL's bitwise operators.
public protocol SQLInteger: SQLNumber {}

extension Int: SQLInteger {}
extension Int8: SQLInteger {}
extension Int16: SQLInteger {}
extension Int32: SQLInteger {}
extension Int64: SQLInteger {}
extension UInt: SQLInteger {}
extension UInt8: SQLInteger {}
extension UInt16: SQLInteger {}
extension UInt32: SQLInteger {}
extension UInt64: SQLInteger {}
