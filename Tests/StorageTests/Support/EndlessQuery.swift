/// A query that runs until it is interrupted.
enum EndlessQuery {
  static let sql = """
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
    SELECT count(*) FROM n
    """
}
