package tidy

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"regexp"
	"slices"
)

// vagueStart matches the beginning of a comment that describes code by a clause, such as "limit is what a caller may
// send", or as a speaker, such as "Filter says which rows are read".
var vagueStart = regexp.MustCompile(
	`^// ?\w+(?:, \w+)*(?: and \w+)? (?:(?:is|are) (?:what|who|whom|whose|which)|says?|tells? whether)\b`)

// sentenceRules refuses vague beginnings of comments.
func sentenceRules(files []file) []string {
	var violations []string
	for _, f := range files {
		for _, group := range f.syntax.Comments {
			if start := vagueStart.FindString(group.List[0].Text); start != "" {
				violations = append(violations, f.at(group.Pos(),
					"%q is vague: name the thing by a noun, or use a verb for what the code does", start))
			}
		}
	}
	return violations
}

// commentRules checks that every package and every exported name says what it is for.
func commentRules(files []file) []string {
	var violations []string
	documented := map[string]bool{} // by folder
	for _, f := range files {
		if f.isTest() {
			continue
		}
		documented[f.folder()] = documented[f.folder()] || f.syntax.Doc != nil
		for _, declaration := range f.syntax.Decls {
			violations = append(violations, undocumented(f, declaration)...)
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(documented)) {
		if !documented[folder] {
			violations = append(violations, fmt.Sprintf("%s: the package has no comment", folder))
		}
	}
	return violations
}

// undocumented finds exported names without a comment. In a group, the comment of the group speaks for all constants
// and variables, and a comment at the end of a line for that line; each type has its own.
func undocumented(f file, declaration ast.Decl) []string {
	var violations []string
	missing := func(name *ast.Ident, comments ...*ast.CommentGroup) {
		if name.IsExported() && !slices.ContainsFunc(comments, isComment) {
			violations = append(violations, f.at(name.Pos(), "%s has no comment", name.Name))
		}
	}
	switch declared := declaration.(type) {
	case *ast.FuncDecl:
		if isReachable(declared) {
			missing(declared.Name, declared.Doc)
		}
	case *ast.GenDecl:
		for _, spec := range declared.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				group := declared.Doc
				if declared.Lparen != token.NoPos {
					group = nil
				}
				missing(spec.Name, group, spec.Doc)
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					missing(name, declared.Doc, spec.Doc, spec.Comment)
				}
			}
		}
	}
	return violations
}

func isComment(group *ast.CommentGroup) bool { return group != nil && group.Text() != "" }

// isReachable reports whether other packages can name the function: a method only through an exported type.
func isReachable(function *ast.FuncDecl) bool {
	return function.Recv == nil || ast.IsExported(receiver(function.Recv.List[0].Type))
}

// receiver is the name of a receiver's type, without the pointer and the type parameters.
func receiver(expression ast.Expr) string {
	switch expression := expression.(type) {
	case *ast.StarExpr:
		return receiver(expression.X)
	case *ast.IndexExpr:
		return receiver(expression.X)
	case *ast.IndexListExpr:
		return receiver(expression.X)
	case *ast.Ident:
		return expression.Name
	}
	return ""
}
