/// The version of the tools, which is the version of the library.
package enum ToolVersion {
  package static let text = "0.2.0"
}
