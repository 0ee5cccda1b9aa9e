package sqlite

import "testing"

func TestAdapt(t *testing.T) {
	for query, want := range map[string]string{
		`SELECT a FROM b WHERE c = $1 AND d = $12`:              `SELECT a FROM b WHERE c = ?1 AND d = ?12`,
		`SELECT a FROM b FOR UPDATE`:                            `SELECT a FROM b`,
		`SELECT a FROM b k ORDER BY a FOR SHARE OF k`:           `SELECT a FROM b k ORDER BY a`,
		`SELECT ' FOR UPDATE ' FROM b`:                          `SELECT ' FOR UPDATE ' FROM b`,
		`SELECT a FROM b LIMIT $2 OFFSET $3`:                    `SELECT a FROM b LIMIT ?2 + 0 OFFSET ?3`,
		`SELECT CAST($1 AS BIGINT), CAST(a AS TEXT)`:            `SELECT ?1, CAST(a AS TEXT)`,
		`SELECT CAST($1 AS BIGINT[])`:                           `SELECT CAST(?1 AS BIGINT[])`,
		`SELECT CAST($1 + 1 AS BIGINT)`:                         `SELECT CAST(?1 + 1 AS BIGINT)`,
		`SELECT '$', $1`:                                        `SELECT '$', ?1`,
		`UPDATE a SET b = $1`:                                   `UPDATE OR FAIL a SET b = ?1`,
		`INSERT INTO a VALUES ($1)`:                             `INSERT OR FAIL INTO a VALUES (?1)`,
		`INSERT INTO a VALUES ($1) ON CONFLICT (b) DO NOTHING`:  `INSERT INTO a VALUES (?1) ON CONFLICT (b) DO NOTHING`,
		`DELETE FROM a WHERE b IN (SELECT b FROM c LIMIT $1)`:   `DELETE FROM a WHERE b IN (SELECT b FROM c LIMIT ?1 + 0)`,
		`SELECT a FROM b WHERE c IN (SELECT c FROM d LIMIT 1)`:  `SELECT a FROM b WHERE c IN (SELECT c FROM d LIMIT 1)`,
		`SELECT a FROM b WHERE c = CAST($1 AS TEXT) AND d = $2`: `SELECT a FROM b WHERE c = ?1 AND d = ?2`,
	} {
		if got := adapt(query); got != want {
			t.Errorf("%s becomes %s, want %s", query, got, want)
		}
	}
}
