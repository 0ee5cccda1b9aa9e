package category

import "punchcard/platform/check"

// Categories are the rows that other rooms refer to.
var Categories = check.Table{Name: "categories", ID: "category_id"}

// Rules are what always holds of categories.
func Rules() []check.Rule {
	return []check.Rule{check.JSON[[]Translation]("category.translations", Categories, "translations")}
}
