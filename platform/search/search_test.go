package search

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

func TestMain(m *testing.M) { dbtest.MainOnBoth(m) }

func write(t testing.TB, d *db.DB, run func(tx *db.Tx) error) {
	t.Helper()
	if err := d.Write(context.Background(), run); err != nil {
		t.Fatal(err)
	}
}

func add(t testing.TB, d *db.DB, storeKey int64, kind string, documents ...Document) {
	t.Helper()
	write(t, d, func(tx *db.Tx) error { return Put(tx, storeKey, kind, documents...) })
}

func ask(t testing.TB, d *db.DB, storeKey int64, kind, query string, limit, offset int) (ids []string, total int64) {
	t.Helper()
	err := d.Read(context.Background(), func(tx *db.Tx) (err error) {
		ids, total, err = Find(tx, storeKey, kind, query, limit, offset)
		return err
	})
	if err != nil {
		t.Fatalf("%q: %v", query, err)
	}
	return ids, total
}

// expect asks store 7 for customers.
func expect(t testing.TB, d *db.DB, query string, want ...string) {
	t.Helper()
	ids, total := ask(t, d, 7, "customer", query, 100, 0)
	if !slices.Equal(ids, want) || total != int64(len(want)) {
		t.Errorf("%q found %v and a total of %d, want %v", query, ids, total, want)
	}
}

// others are documents that nothing below looks for: enough of them that none waits for SQLite's index.
func others(t testing.TB, d *db.DB) {
	t.Helper()
	documents := make([]Document, 2*waitingLimit)
	for i := range documents {
		documents[i] = Document{ID: fmt.Sprintf("other-%d", i), Name: []string{"zzz"}}
	}
	add(t, d, 7, "customer", documents...)
}

// eachState runs the test with the documents of prepare waiting for the index, and inside it.
func eachState(t *testing.T, prepare, run func(t *testing.T, d *db.DB)) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		prepare(t, d)
		t.Run("waiting", func(t *testing.T) { run(t, d) })
	})
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		prepare(t, d)
		others(t, d)
		t.Run("indexed", func(t *testing.T) { run(t, d) })
	})
}

func customers(t *testing.T, d *db.DB) {
	add(t, d, 7, "customer",
		Document{ID: "1", Name: []string{"Łucja", "Ångström"}, Text: []string{"lucja@example.com", "+48600100200", ""}},
		Document{ID: "2", Name: []string{"Anna", "Kowalska"}, Text: []string{"a.kowalska@poczta.pl", "", "CARD-0012 345"}},
		Document{ID: "3", Name: []string{"Annabel", "Søren-Weiß"}, Text: []string{"anna+shop@example.com"}},
		Document{ID: "4", Name: []string{"Ann", "O'Neill"}, Text: []string{"kowalska@example.com", "48600100299"}},
		Document{ID: "5", Name: []string{"李小龙", "ΟΔΥΣΣΕΥΣ"}, Text: []string{"1234567890123456"}},
	)
	stranger := Document{ID: "9", Name: []string{"Anna", "Kowalska", "Stranger"}}
	add(t, d, 8, "customer", stranger)
	add(t, d, 77, "customer", stranger)
	add(t, d, 7, "campaign", stranger)
	add(t, d, 7, "customers", stranger)
}

func TestFind(t *testing.T) {
	eachState(t, customers, func(t *testing.T, d *db.DB) {
		for _, test := range []struct {
			query string
			want  []string
		}{
			{"lucja", []string{"1"}},
			{"ŁUC", []string{"1"}},
			{"angstrom", []string{"1"}},
			{"Å", []string{"1", "2", "3", "4"}},
			{"soren", []string{"3"}},
			{"weiss", []string{"3"}},
			{"WEIẞ", []string{"3"}},
			{"anna", []string{"2", "3"}},         // the whole name before its beginning
			{"ann", []string{"4", "2", "3"}},     // likewise
			{"kowalska", []string{"2", "4"}},     // the name before the address
			{"anna kow", []string{"2"}},          // every word
			{"kow anna", []string{"2"}},          // in any order
			{"anna anna", []string{"2", "3"}},    // a word twice
			{"anna nobody", nil},                 // and not any
			{"owalska", nil},                     // beginnings only
			{"o'neill", []string{"4"}},           // as it is written
			{"neill", []string{"4"}},             // and its parts
			{"lucja@example.com", []string{"1"}}, // addresses as a whole,
			{"lucja@exa", []string{"1"}},         // their beginning
			{"poczta.pl", []string{"2"}},         // and their parts
			{"@example.com", []string{"1", "3", "4"}},
			{"anna+shop", []string{"3"}},
			{"+48600100200", []string{"1"}}, // phones as they are stored,
			{"+48 600 100 200", []string{"1"}},
			{"600-100-2", []string{"1", "4"}}, // without the country
			{"100200", []string{"1"}},         // by their end
			{"299", []string{"4"}},
			{"0012", []string{"2"}},
			{"card 345", []string{"2"}},
			{"1234 5678 9012 3456", []string{"5"}},
			{"李", []string{"5"}},
			{"οδυσσεύς", []string{"5"}},
			{"stranger", nil},
			{"", nil}, {" ", nil}, {"%", nil}, {"_", nil}, {"*", nil}, {`"`, nil}, {"'", nil}, {"\x00", nil}, {"\xff", nil},
			{`ann* NOT "kowalska" OR`, nil},
			{"ann\x00ko", []string{"2", "4"}},
			{"Ko\xffwal", nil},
			{"name:anna", nil},
		} {
			expect(t, d, test.query, test.want...)
		}
		for storeKey, kind := range map[int64]string{8: "customer", 77: "customer", 7: "campaign"} {
			if ids, total := ask(t, d, storeKey, kind, "anna", 10, 0); !slices.Equal(ids, []string{"9"}) || total != 1 {
				t.Errorf("store %d has the %ss %v, total %d", storeKey, kind, ids, total)
			}
		}
	})
}

// In scripts without spaces, any part of a name and of a text is found.
func TestFindInScriptsWithoutSpaces(t *testing.T) {
	long := "本店全场优惠买一送一欢迎新老顾客光临惠顾谢谢大家的支持与厚爱我们会继续努力"
	prepare := func(t *testing.T, d *db.DB) {
		person := func(id, first, last string) Document {
			return Document{ID: id, Name: []string{first, last}, Text: []string{Joined(last, first), Joined(first, last)}}
		}
		add(t, d, 7, "customer", person("wang", "小明", "王"), person("yamada", "太郎", "山田"),
			person("kannika", "กรรณิกา", "ใจดี"),
			person("kim", "민준", "김"), person("lee", "서연", "이"), person("anna", "Anna", "王"), person("suzuki", "すずき", "ｽｽﾞｷ"),
			Document{ID: "sale", Name: []string{long}, Text: []string{"iPhone手机 ภาษาไทยไม่มีช่องว่าง"}})
	}
	eachState(t, prepare, func(t *testing.T, d *db.DB) {
		for query, want := range map[string][]string{
			"王小明": {"wang"}, "小明王": {"wang"}, "王 小明": {"wang"}, "小明": {"wang"}, "明": {"wang"}, "王": {"anna", "wang"},
			"王明": nil, "山田太郎": {"yamada"}, "田太": {"yamada"}, "太郎": {"yamada"}, "郎": {"yamada"},
			"ณิกา": {"kannika"}, "กรรณิกา": {"kannika"}, "ใจดี": {"kannika"}, "นิกา": nil,
			"민준": {"kim"}, "김민준": {"kim"}, "준": {"kim"}, "민ㅈ": {"kim"}, "서연": {"lee"}, "이서": {"lee"}, "연": {"lee"},
			"ずき": {"suzuki"}, "スス": {"suzuki"}, "优惠": {"sale"}, "惠顾": {"sale"}, "努力": {"sale"},
			"优 惠": {"sale"}, "惠优": nil, long: {"sale"}, long[3:]: {"sale"}, long[3:] + "吗": nil, "手机": {"sale"},
			"iphone手机": {"sale"}, "phone": nil, "ช่องว่าง": {"sale"}, "ไม่มี": {"sale"}, "Anna王": nil,
		} {
			expect(t, d, query, want...)
		}
	})
}

func TestPutReplacesAndRemoveForgets(t *testing.T) {
	eachState(t, customers, func(t *testing.T, d *db.DB) {
		add(t, d, 7, "customer", Document{ID: "2", Name: []string{"Joanna"}}, Document{ID: "6", Name: []string{"Anna"}},
			Document{ID: "6", Name: []string{"Beata"}}, Document{ID: "4"})
		expect(t, d, "kowalska")
		expect(t, d, "anna", "3")
		expect(t, d, "joanna", "2")
		expect(t, d, "beata", "6") // the last of two with one id
		write(t, d, func(tx *db.Tx) error { return Remove(tx, 7, "customer", "1", "3", "6", "unknown") })
		expect(t, d, "example")
		expect(t, d, "joanna", "2")
		if ids, _ := ask(t, d, 8, "customer", "anna", 10, 0); !slices.Equal(ids, []string{"9"}) {
			t.Errorf("the other store has %v", ids)
		}
		write(t, d, func(tx *db.Tx) error { return errors.Join(Put(tx, 7, "customer"), Remove(tx, 7, "customer")) })
		write(t, d, Clear)
		expect(t, d, "joanna")
		customers(t, d)
		expect(t, d, "kowalska", "2", "4")
	})
}

// A merge of SQLite's full-text table erases the words of removed documents, and changes nothing else.
func TestMergeErasesRemovedWords(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		if d.Engine() == sqlite {
			expectErased(t, d)
		}
	})
}

func expectErased(t *testing.T, d *db.DB) {
	t.Helper()
	add(t, d, 7, "customer", Document{ID: "c", Name: []string{"Quetzalcoatl"}})
	others(t, d)
	trees := func() string {
		var trees string
		err := d.Read(t.Context(), func(tx *db.Tx) (err error) {
			trees, err = db.Value[string](tx, `SELECT group_concat(hex(block)) FROM search_words_data`)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return trees
	}
	word := fmt.Sprintf("%X", "quetzalcoatl")
	if !strings.Contains(trees(), word) {
		t.Fatal("the word is not in the full-text table")
	}
	write(t, d, func(tx *db.Tx) error { return Remove(tx, 7, "customer", "c") })
	for i, want := range []bool{true, false} {
		if steps, err := Merge(t.Context(), d); steps > 0 != want || err != nil {
			t.Errorf("merge %d did %d steps, want some: %v; %v", i, steps, want, err)
		}
	}
	if strings.Contains(trees(), word) {
		t.Error("the word is still in the full-text table")
	}
	if _, total := ask(t, d, 7, "customer", "zzz", 0, 0); total != 2*waitingLimit {
		t.Errorf("%d other documents are left", total)
	}
}

// Operations that share a commit with a failing one keep their changes, and the failing one leaves
// none.
func TestFailedOperationLeavesNothing(t *testing.T) {
	eachState(t, customers, func(t *testing.T, d *db.DB) {
		refused := errors.New("refused")
		var all sync.WaitGroup
		var stored []string
		for i := range 40 {
			fails := i%2 == 0
			if !fails {
				stored = append(stored, fmt.Sprintf("kept-%02d", i))
			}
			all.Go(func() {
				err := d.Write(context.Background(), func(tx *db.Tx) error {
					if !fails {
						return Put(tx, 7, "customer", Document{ID: fmt.Sprintf("kept-%02d", i), Name: []string{"Berta"}})
					}
					many := make([]Document, 2*waitingLimit)
					for i := range many {
						many[i] = Document{ID: fmt.Sprint("new-", i), Name: []string{"Anna", "Berta"}}
					}
					return errors.Join(Remove(tx, 7, "customer", "2"), Put(tx, 7, "customer", many...), refused)
				})
				if errors.Is(err, refused) != fails || err != nil && !fails {
					t.Error(err)
				}
			})
		}
		all.Wait()
		expect(t, d, "anna", "2", "3")
		expect(t, d, "berta", stored...)
	})
}

func TestFindPages(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		documents := make([]Document, ResultLimit+10)
		for i := range documents {
			documents[i] = Document{ID: fmt.Sprintf("%05d", i), Name: []string{"Anna"}}
		}
		add(t, d, 7, "customer", documents[:ResultLimit-1]...)
		for _, test := range []struct {
			limit, offset int
			first         string
			count         int
		}{
			{10, 0, "00000", 10}, {10, 9990, "09990", 9}, {10, 9998, "09998", 1}, {10, 9999, "", 0}, {0, 0, "", 0},
		} {
			ids, total := ask(t, d, 7, "customer", "ann", test.limit, test.offset)
			if total != ResultLimit-1 || len(ids) != test.count || test.count > 0 && ids[0] != test.first {
				t.Errorf("limit %d, offset %d: %v, total %d", test.limit, test.offset, ids, total)
			}
		}
		add(t, d, 7, "customer", documents[ResultLimit-1:]...)
		if ids, total := ask(t, d, 7, "customer", "ann", 10, 9995); total != ResultLimit || len(ids) != 5 {
			t.Errorf("beyond the limit: %v, total %d", ids, total)
		}
	})
}

func TestConcurrentPutsOfTheSameDocuments(t *testing.T) {
	eachState(t, customers, func(t *testing.T, d *db.DB) {
		var all sync.WaitGroup
		for i := range 20 {
			documents := []Document{{ID: "a", Name: []string{"Same"}}, {ID: "b", Name: []string{"Same"}}}
			if i%2 == 0 {
				slices.Reverse(documents)
			}
			all.Go(func() {
				err := d.Write(context.Background(), func(tx *db.Tx) error { return Put(tx, 7, "customer", documents...) })
				if err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		expect(t, d, "same", "a", "b")
	})
}

func TestProbe(t *testing.T) {
	damages := map[string][]string{
		"sqlite":   {`UPDATE search_words_data SET block = x'00' WHERE id > 10`, `DROP TABLE search_words`},
		"postgres": {`DROP TABLE search_documents`},
	}
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		customers(t, d)
		others(t, d)
		if err := Probe(context.Background(), d); err != nil {
			t.Fatal(err)
		}
		for _, damage := range damages[d.Engine()] {
			write(t, d, func(tx *db.Tx) error { _, err := tx.Exec(damage); return err })
			if err := Probe(context.Background(), d); err == nil {
				t.Errorf("the probe did not see %s", damage)
			}
			if strings.HasPrefix(damage, "UPDATE") {
				write(t, d, Clear)
				customers(t, d)
				if err := Probe(context.Background(), d); err != nil {
					t.Errorf("after the rebuild: %v", err)
				}
				expect(t, d, "kowalska", "2", "4")
			}
		}
	})
}

// FuzzFind searches for any text: no query may break the syntax of the database's search.
func FuzzFind(f *testing.F) {
	for _, query := range []string{"anna", `"a" OR b*`, "a:b ^c {d e} : f", "NEAR(a b, 2)",
		"\x00", "'; --", "a%_", "\xf0\x28"} {
		f.Add(query)
	}
	d := dbtest.Open(f, dbtest.Config(f, "sqlite"), time.Now)
	documents := make([]Document, waitingLimit)
	for i := range documents {
		documents[i] = Document{ID: fmt.Sprint(i), Name: []string{"Anna or not near"}, Text: []string{"a@b.c"}}
	}
	add(f, d, 7, "customer", documents...)
	f.Fuzz(func(t *testing.T, query string) {
		folded := Fold(query)
		if again := Fold(folded); again != folded {
			t.Errorf("%q folds to %q and then to %q", query, folded, again)
		}
		want := int64(0)
		words := queryWords(query)
		if len(words) > 0 && matches(strings.Fields("anna or not near a b c"), words) {
			want = waitingLimit
		}
		ids, total := ask(t, d, 7, "customer", query, 3, 0)
		if total != want || int64(len(ids)) != min(3, want) {
			t.Errorf("%q found %v and a total of %d, want %d", query, ids, total, want)
		}
	})
}

func matches(words, beginnings []string) bool {
	for _, beginning := range beginnings {
		begins := func(word string) bool { return strings.HasPrefix(word, beginning) }
		if !slices.ContainsFunc(words, begins) {
			return false
		}
	}
	return true
}
