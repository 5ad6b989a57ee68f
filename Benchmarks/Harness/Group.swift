/// A group of benchmarks; the command line selects it by name.
enum Group: String, CaseIterable {
  case fetch
  case insert
  case write
  case observe
}
