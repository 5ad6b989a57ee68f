@testable import Storage
import Testing

@Suite struct DecimalTextTests {
  @Test(arguments: ["0", "-12", "+3", "1.5", ".5", "7.", "1e3", "1.5E-3", "-.5e+10", "007"])
  func `a decimal number is recognised`(text: String) {
    #expect(DecimalText.isNumber(text.utf8))
  }

  @Test(
    arguments: ["", "-", ".", "e3", "1e", "1e+", "1.5.2", " 1", "1 ", "0x1", "nan", "1,5", "--1"]
  )
  func `a text that is not a number as a whole is refused`(text: String) {
    #expect(!DecimalText.isNumber(text.utf8))
  }
}
