/// The style of a piece of text.
enum TextStyle: Equatable {
  case plain
  case heading
  case faint
  case added
  case changed
  case changedCell
  case removed
  case problem
  case selected

  /// The parameters of the "select graphic rendition" control sequence for the style.
  var rendition: String {
    switch self {
    case .plain: "0"
    case .heading: "1"
    case .faint: "2"
    case .added: "32"
    case .changed: "33"
    case .changedCell: "1;33"
    case .removed: "9;31"
    case .problem: "1;31"
    case .selected: "7"
    }
  }
}
