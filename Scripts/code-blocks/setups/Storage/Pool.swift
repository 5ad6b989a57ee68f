import Foundation
enum Response { case ok, serviceUnavailable }
func respond(with response: Response) {}
func report(_ error: any Error) {}
extension Bundle { static var module: Bundle { example() } }
let queue: DatabaseQueue = example()
let source: DatabaseQueue = example()
let destination: DatabaseQueue = example()
let directory = ""
