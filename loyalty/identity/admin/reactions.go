package admin

// Changed is a change of an administrator, to which others react.
type Changed struct{ Before, After *Administrator }
