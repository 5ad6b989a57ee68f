import Testing

@testable import LiveBoard

@Suite struct FormFieldsTests {
  @Test func `Fields are decoded`() throws {
    let fields = try #require(FormFields(Array("title=a+b%26%C3%A9%2B&by=1&empty=".utf8)))
    #expect(fields["title"] == "a b&é+")
    #expect(fields["by"] == "1")
    #expect(fields["empty"] == "")
    #expect(fields["none"] == nil)
  }

  @Test func `No body is no field`() { #expect(FormFields([])?["title"] == nil) }

  @Test(arguments: ["title", "title=%", "title=%zz", "title=%ff"])
  func `What is not a form is refused`(body: String) {
    #expect(FormFields(Array(body.utf8)) == nil)
  }

  @Test func `What is not UTF-8 is refused`() { #expect(FormFields([0xff]) == nil) }
}
