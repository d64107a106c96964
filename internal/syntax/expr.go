package syntax

// Expr is an expression of Cython or C. The fields that an operation uses are
// given with it; others are zero.
type Expr struct {
	Op   ExprOp
	Text string  // a name, an operator, a literal, a member's name
	X, Y *Expr   // operands
	Args []*Expr // of calls, displays, and everything with several parts
	Type *Type   // of casts and allocations
	Pos
}

// ExprOp says what an expression does.
type ExprOp uint8

// The operations.
const (
	Bad     ExprOp = iota // could not be read; Args are the parts that could
	Ident                 // Text
	Literal               // Text: a number
	Str                   // Text: a string; Args: what an f-string evaluates
	Null                  // NULL, None, nullptr: Text
	Call                  // X(Args); a keyword argument is a Keyword
	Keyword               // Text = X, in a call; Text is empty for **X
	Index                 // X[Args]
	Member                // X.Text or X->Text; an arrow has Y set to X
	Unary                 // Text X: & * - ! ~ not
	Binary                // X Text Y; comparisons, arithmetic
	And                   // X and Y
	Or                    // X or Y
	Cond                  // Args[0] ? X : Y
	Cast                  // (Type)X
	Assign                // X Text Y as an expression: = += and := in Python
	IncDec                // ++X and its like
	List                  // [Args], C initialisers
	Tuple                 // (Args)
	Dict                  // {Args}: keys and values in turn; a set has Text "set"
	Comp                  // Args[0] for ...; Text is list, set, dict or generator
	Lambda                // X is the body; Args are the parameters' names
	New                   // new Type(Args)
	SizeOf                // sizeof, typeid and others that do not evaluate
	Star                  // *X in a call or display
	Yield                 // yield X, await X
	Comma                 // X, Y in C: the value is Y's
	Slice                 // X:Y:Args in an index
)

// CompFor is a clause of a comprehension: it binds names to the elements of a
// value, under conditions.
type CompFor struct {
	Target, Iter *Expr
	Ifs          []*Expr
}

// Type is what matters of a C or Cython type.
type Type struct {
	Name     string // the last name of it: cyb_table_t, int, atomic
	Pointers int    // how many levels of pointer or reference are around it
	Array    bool
	Func     bool // a function or a pointer to one
	Const    bool // what is pointed to, or the value where there are no pointers, cannot be written
	TopConst bool // the variable itself cannot be written
	Volatile bool // the variable itself, or what a pointer cast points to
	Atomic   bool // _Atomic T or std::atomic<T>
	Static   bool
	Extern   bool
	Thread   bool // thread-local
	Ref      bool // a C++ reference
	Library  bool // named with :: or template arguments
}

// Walk calls visit for e and everything in it, parents first, until visit
// gives false, which leaves out what is below.
func (e *Expr) Walk(visit func(*Expr) bool) {
	if e == nil || !visit(e) {
		return
	}
	e.X.Walk(visit)
	if e.Y != e.X {
		e.Y.Walk(visit)
	}
	for _, a := range e.Args {
		a.Walk(visit)
	}
}
