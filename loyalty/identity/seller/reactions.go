package seller

// Changed is a change of a seller by an administrator, to which others react.
type Changed struct{ Before, After *Seller }
