/// A fetch request that prepares the same SQL with the same arguments each time.
///
/// One that is made outside of this package may have the time of the run among its arguments.
protocol ConstantFetchRequest {}

extension SQLRequest: ConstantFetchRequest {}
extension QueryInterfaceRequest: ConstantFetchRequest {}
