package syntax

// Stmt is a statement of Cython or C.
type Stmt struct {
	Op      StmtOp
	Text    string    // the name that a declaration or an import binds
	X, Y    *Expr     // X: the expression or condition; Y: the value of an assignment or initialiser
	Targets []*Expr   // of assignments, for, with ... as, del, global: what is bound
	Type    *Type     // of declarations
	Items   []*Expr   // of with and import
	Body    []*Stmt   // of everything with a block
	Else    []*Stmt   // else, also of loops and try
	Excepts [][]*Stmt // the handlers of try
	Finally []*Stmt
	Func    *Func // of a nested function or a method
	Pos
}

// StmtOp says what a statement does.
type StmtOp uint8

// The statements.
const (
	Unread   StmtOp = iota // could not be read
	ExprStmt               // X
	Decl                   // Type Text = Y
	Set                    // Targets = Y; Text is the operator: "=" or "+=" and its like
	If                     // if X: Body else: Else
	Loop                   // while X: Body, for Targets in X: Body (Text "for"); do: Text "do"
	Return                 // return X
	Raise                  // raise X, throw X
	With                   // with Items as Targets: Body
	Try                    // try: Body except: Excepts else: Else finally: Finally
	Break                  // and continue: Text
	Block                  // { Body }
	Switch                 // switch X { Body }
	Case                   // a label in a switch or for goto: Text
	Goto                   // goto Text
	Global                 // global Targets
	Import                 // binds Text; Items[0] names what, for `from X import Y`
	Del                    // del Targets
	Pass                   // nothing, also a declaration without effect
	Define                 // a nested function or class: Func, Body
	Asm                    // inline assembly
)

// Func is a function of Cython or C.
type Func struct {
	Name       string
	Params     []Param
	Body       []*Stmt
	Decorators []*Expr
	Result     *Type // nil for def
	Class      string
	Kind       string // def, cdef, cpdef, c, lambda
	NoGIL      bool   // may run without the interpreter
	WithGIL    bool   // takes the interpreter itself
	NoExcept   bool   // an exception in it is lost
	Inline     bool
	Async      bool
	Pos
}

// Param is a parameter.
type Param struct {
	Name    string
	Type    *Type // of C functions
	Default *Expr
	Pos
}
