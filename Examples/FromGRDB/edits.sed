# The edits that turn Original, which was written for GRDB 7, into a package that depends on this one. Each
# follows from a line that Scripts/coming-from-grdb.sh prints.
s|^import GRDB$|import Storage|
s|\.package\(url: "https://github.com/groue/GRDB\.swift", from: "7\.0\.0"\)|.package(name: "Wellspring", path: "WELLSPRING")|
s|\.product\(name: "GRDB", package: "GRDB\.swift"\)|.product(name: "Storage", package: "Wellspring")|
s|^( *)(.*[wW]riter)\.add\(transactionObserver: (.+)\)$|\1try \2.unsafeReentrantWrite { $0.add(transactionObserver: \3) }|
