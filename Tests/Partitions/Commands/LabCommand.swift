import Foundation

/// The command line of the lab.
enum LabCommand {
  private static let usage = """
    usage: PartitionLab times [--rounds N] [--only WORDS]
           PartitionLab soak [--seed N] [--seconds S]
           PartitionLab rates [--only WORDS]
           PartitionLab scenarios [--only WORDS]

    """

  /// Runs a command, and returns its exit code.
  static func run(_ arguments: [String]) -> Int32 {
    if arguments.count == 2, arguments[0] == NodeProgram.argument {
      guard let program = try? JSONDecoder().decode(NodeProgram.self, from: Data(arguments[1].utf8))
      else { return 2 }
      program.run()
    }
    if arguments.count == 2, arguments[0] == NodeServer.argument {
      guard let server = try? JSONDecoder().decode(NodeServer.self, from: Data(arguments[1].utf8))
      else { return 2 }
      server.run()
    }
    do {
      let options = try options(arguments.dropFirst())
      Cleanup.begin()
      switch arguments.first {
      case "times":
        let rounds = Int(options["--rounds"] ?? "2") ?? 2
        return try TimesCommand.run(rounds: rounds, only: options["--only"]) ? 0 : 1
      case "soak":
        let seed = options["--seed"].flatMap { UInt64($0) } ?? UInt64(time(nil))
        let seconds = options["--seconds"].flatMap { Int($0) } ?? 1_200
        return try SoakCommand.run(seed: seed, seconds: seconds) ? 0 : 1
      case "rates": return try RatesCommand.run(only: options["--only"]) ? 0 : 1
      case "scenarios": return try ScenariosCommand.run(only: options["--only"]) ? 0 : 1
      default: throw LabError.usage(usage)
      }
    } catch LabError.notAllowed(let reason) {
      say("PartitionLab: skipped, because \(LabError.notAllowed(reason))")
      return 0
    } catch LabError.usage(let text) {
      FileHandle.standardError.write(Data(text.utf8))
      return 2
    } catch {
      FileHandle.standardError.write(Data("PartitionLab: \(error)\n".utf8))
      return 1
    }
  }

  private static func options(_ words: ArraySlice<String>) throws -> [String: String] {
    guard words.count.isMultiple(of: 2) else { throw LabError.usage(usage) }
    var options: [String: String] = [:]
    var rest = words
    while let name = rest.popFirst(), let value = rest.popFirst() {
      guard ["--rounds", "--only", "--seed", "--seconds"].contains(name) else {
        throw LabError.usage(usage)
      }
      options[name] = value
    }
    return options
  }
}

/// Prints a line that is seen at once, also in a file.
func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
