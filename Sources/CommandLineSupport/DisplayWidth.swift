/// The number of terminal columns that characters take.
package enum DisplayWidth {
  /// Returns the number of columns that a character takes.
  package static func of(_ character: Character) -> Int {
    let scalars = character.unicodeScalars
    if scalars.count > 1, scalars.first!.properties.isEmoji,
      scalars.dropFirst().contains(where: makesEmoji)
    {
      return 2
    }
    return scalars.reduce(0) { $0 + width(of: $1) }
  }

  /// Returns whether a scalar combines its neighbours into one emoji.
  private static func makesEmoji(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x200D, 0xFE0F, 0x1F1E6...0x1F1FF, 0x1F3FB...0x1F3FF: true
    default: false
    }
  }

  private static func width(of scalar: Unicode.Scalar) -> Int {
    // A fast path: most text is ASCII.
    if scalar.value < 0x300 { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    if hangulVowelsAndFinals.contains(where: { $0.contains(scalar.value) }) { return 0 }
    if scalar.properties.isEmojiPresentation { return 2 }
    return wideRanges.contains { $0.contains(scalar.value) } ? 2 : 1
  }

  /// Hangul vowels and finals, which are drawn in the square of the preceding consonant.
  private static let hangulVowelsAndFinals: [ClosedRange<UInt32>] = [
    0x1160...0x11FF, 0xD7B0...0xD7FF,
  ]

  /// The blocks of wide and full-width characters, without emoji.
  /// https://www.unicode.org/reports/tr11/
  private static let wideRanges: [ClosedRange<UInt32>] = [
    0x1100...0x115F,  // Hangul consonants
    0x2329...0x232A,  // angle brackets
    0x2E80...0x303E,  // CJK radicals and punctuation
    0x3041...0xA4CF,  // kana, CJK ideographs, Yi
    0xA960...0xA97F,  // Hangul consonants
    0xAC00...0xD7A3,  // Hangul syllables
    0xF900...0xFAFF,  // CJK compatibility ideographs
    0xFE10...0xFE19,  // vertical forms
    0xFE30...0xFE6F,  // CJK compatibility and small forms
    0xFF01...0xFF60,  // full-width forms
    0xFFE0...0xFFE6,  // full-width signs
    0x16FE0...0x18DFF,  // Tangut
    0x1AFF0...0x1B2FF,  // kana
    0x1F200...0x1F265,  // squared CJK
    0x20000...0x3FFFD,  // CJK ideographs
  ]
}
