package weaveruntime

import (
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"
)

// signature is how many operands an operator takes, and of which types where it has several meanings.
type signature struct {
	least, most int
	types       []valueType
}

const anyNumber = 1 << 30

var (
	numberTypes  = []valueType{typeInt, typeInt64, typeFloat, typeDecimal}
	orderedTypes = append([]valueType{typeBool, typeString, typeBytes, typeTimestamp, typeDate, typeDuration}, numberTypes...)
	memberTypes  = append([]valueType{typeList, typeMap, typeRecord, typeJSON}, orderedTypes...)
	allTypes     = append([]valueType{typeNull}, memberTypes...)
)

// signatures are those of all operators, functions and methods.
var signatures = map[string]signature{
	"&&":         {2, anyNumber, nil},
	"||":         {2, anyNumber, nil},
	"!":          {1, 1, nil},
	"==":         {2, 2, allTypes},
	"!=":         {2, 2, allTypes},
	"<":          {2, 2, orderedTypes},
	"<=":         {2, 2, orderedTypes},
	">":          {2, 2, orderedTypes},
	">=":         {2, 2, orderedTypes},
	"in":         {2, 2, memberTypes},
	"+":          {2, anyNumber, append([]valueType{typeString, typeBytes, typeList, typeTimestamp, typeDuration}, numberTypes...)},
	"-":          {2, anyNumber, append([]valueType{typeTimestamp, typeDuration}, numberTypes...)},
	"*":          {2, anyNumber, numberTypes},
	"/":          {2, anyNumber, []valueType{typeInt, typeInt64, typeFloat}},
	"%":          {2, anyNumber, []valueType{typeInt, typeInt64}},
	"negate":     {1, 1, append([]valueType{typeDuration}, numberTypes...)},
	"contains":   {2, 2, nil},
	"startsWith": {2, 2, nil},
	"endsWith":   {2, 2, nil},
	"matches":    {2, 2, nil},
	"size":       {1, 1, []valueType{typeString, typeBytes, typeList, typeMap, typeJSON}},
	"has":        {1, 1, nil},
}

func meaningless(operator string) *EvaluationError {
	return evaluationError(Meaningless, operator+" has no meaning for these operands")
}

// apply is the value of an operator on as many operands as it takes; && and || are not here.
func (e *application) apply(operands []item) (item, *EvaluationError) {
	switch e.operator {
	case "has":
		return truthItem(!operands[0].isNull()), nil
	case "!":
		truth, err := operands[0].some(typeBool)
		return truthItem(!truth.truth), err
	case "negate":
		return negated(operands[0], e.of)
	case "size":
		count, err := size(operands[0], e.of)
		return countItem(count), err
	case "+", "-", "*", "/", "%":
		return fold(e.operator, e.of, operands)
	case "==", "!=":
		same, err := equal(operands[0], operands[1], e.of)
		return truthItem(same == (e.operator == "==")), err
	case "in":
		found, err := contained(operands[0], operands[1], e.of)
		return truthItem(found), err
	case "<", "<=", ">", ">=":
		return e.ordered(operands[0], operands[1])
	default:
		return e.texts(operands[0], operands[1])
	}
}

func (e *application) ordered(one, other item) (item, *EvaluationError) {
	left, err := one.some(e.of)
	if err != nil {
		return item{}, err
	}
	right, err := other.some(e.of)
	if err != nil {
		return item{}, err
	}
	order, ok := compareScalars(left, right)
	holds := false
	switch e.operator {
	case "<":
		holds = order < 0
	case "<=":
		holds = order <= 0
	case ">":
		holds = order > 0
	default:
		holds = order >= 0
	}
	return truthItem(ok && holds), nil
}

func (e *application) texts(one, other item) (item, *EvaluationError) {
	text, err := one.some(typeString)
	if err != nil {
		return item{}, err
	}
	part, err := other.some(typeString)
	if err != nil {
		return item{}, err
	}
	switch e.operator {
	case "contains":
		return truthItem(strings.Contains(text.text, part.text)), nil
	case "startsWith":
		return truthItem(strings.HasPrefix(text.text, part.text)), nil
	case "endsWith":
		return truthItem(strings.HasSuffix(text.text, part.text)), nil
	default:
		return truthItem(e.pattern.MatchString(text.text)), nil
	}
}

// compared is a value as a comparison of one type sees it: nothing for null, a scalar, or JSON.
type compared struct {
	isNull bool
	scalar scalar
	json   *value
}

func comparedAs(side item, of valueType) (compared, *EvaluationError) {
	if side.isNull() {
		return compared{isNull: true}, nil
	}
	switch of {
	case typeList, typeMap, typeRecord, typeJSON, typeNull:
		json, err := side.wire()
		if err == nil && of != typeJSON && of != typeNull {
			err = checkForm(json, of)
		}
		return compared{json: json}, err
	default:
		found, err := side.some(of)
		return compared{scalar: found}, err
	}
}

func (c compared) equals(other compared) bool {
	switch {
	case c.isNull || other.isNull:
		return c.isNull && other.isNull
	case c.json != nil && other.json != nil:
		return sameJSON(c.json, other.json)
	default:
		order, ok := compareScalars(c.scalar, other.scalar)
		return ok && order == 0
	}
}

// equal is == of a type: null equals null and nothing else.
func equal(one, other item, of valueType) (bool, *EvaluationError) {
	left, err := comparedAs(one, of)
	if err != nil {
		return false, err
	}
	right, err := comparedAs(other, of)
	return err == nil && left.equals(right), err
}

// contained says whether an element of a list equals the value, or a map has it as a key.
func contained(held, container item, of valueType) (bool, *EvaluationError) {
	if container.read != nil && container.read.is(kindObject) {
		if held.isNull() {
			return false, nil
		}
		key, err := held.some(typeString)
		return err == nil && container.read.get(key.text) != nil, err
	}
	elements, err := container.elements()
	if err != nil {
		return false, err
	}
	wanted, err := comparedAs(held, of)
	if err != nil {
		return false, err
	}
	// An element that equals the value decides, whatever the others are.
	var first *EvaluationError
	for _, element := range elements {
		found, err := comparedAs(element, of)
		switch {
		case err != nil && first == nil:
			first = err
		case err == nil && wanted.equals(found):
			return true, nil
		}
	}
	return false, first
}

func negated(operand item, of valueType) (item, *EvaluationError) {
	found, err := operand.some(of)
	if err != nil {
		return item{}, err
	}
	switch of {
	case typeInt, typeInt64:
		if found.whole, err = subtracted(0, found.whole); err != nil {
			return item{}, err
		}
	case typeFloat:
		found.float = -found.float
	case typeDecimal:
		found.exact, err = decimals("-", exact{digits: new(big.Int)}, found.exact)
	default:
		found.at = found.at.negated()
	}
	return item{of: of, made: found}, err
}

// fold is an operator on two operands or more, from left to right.
func fold(operator string, of valueType, operands []item) (item, *EvaluationError) {
	if of == typeList {
		var joined []item
		for _, operand := range operands {
			elements, err := operand.elements()
			if err != nil {
				return item{}, err
			}
			joined = append(joined, elements...)
		}
		return item{of: typeList, isList: true, list: joined}, nil
	}
	var sum scalar
	for at, operand := range operands {
		wanted := of
		// Among moments stand lengths, each of its own type.
		if of == typeTimestamp && operand.of == typeDuration {
			wanted = typeDuration
		}
		next, err := operand.some(wanted)
		if err == nil && at > 0 {
			next, err = folded(operator, sum, next)
		}
		if err != nil {
			return item{}, err
		}
		sum = next
	}
	return item{of: sum.of, made: sum}, nil
}

func folded(operator string, one, other scalar) (scalar, *EvaluationError) {
	var err *EvaluationError
	switch {
	case one.of == typeTimestamp || other.of == typeTimestamp || one.of == typeDuration:
		return times(operator, one, other)
	case one.of == typeInt || one.of == typeInt64:
		one.whole, err = wholes(operator, one.whole, other.whole)
	case one.of == typeFloat:
		one.float = floats(operator, one.float, other.float)
	case one.of == typeDecimal:
		one.exact, err = decimals(operator, one.exact, other.exact)
	case one.of == typeString:
		one.text += other.text
	case one.of == typeBytes:
		one.octets = slices.Concat(one.octets, other.octets)
	default:
		err = meaningless(operator)
	}
	return one, err
}

func overflow() *EvaluationError { return evaluationError(Overflow, "an integer is beyond 64 bits") }

func subtracted(one, other int64) (int64, *EvaluationError) {
	difference := one - other
	if (difference < one) != (other > 0) {
		return 0, overflow()
	}
	return difference, nil
}

func wholes(operator string, one, other int64) (int64, *EvaluationError) {
	const least = -1 << 63
	switch operator {
	case "+":
		sum := one + other
		if (sum > one) != (other > 0) {
			return 0, overflow()
		}
		return sum, nil
	case "-":
		return subtracted(one, other)
	case "*":
		product := one * other
		if one != 0 && (product/one != other || one == -1 && other == least) {
			return 0, overflow()
		}
		return product, nil
	}
	switch {
	case other == 0:
		return 0, evaluationError(DivisionByZero, "an integer is divided by zero")
	case one == least && other == -1:
		return 0, overflow()
	case operator == "/":
		return one / other, nil
	default:
		return one % other, nil
	}
}

func floats(operator string, one, other float64) float64 {
	switch operator {
	case "+":
		return one + other
	case "-":
		return one - other
	case "*":
		return one * other
	default:
		return one / other
	}
}

func decimals(operator string, one, other exact) (exact, *EvaluationError) {
	if operator == "*" {
		return exact{new(big.Int).Mul(one.digits, other.digits), one.scale + other.scale}, nil
	}
	left, right, scale := aligned(one, other)
	switch operator {
	case "+":
		return exact{new(big.Int).Add(left, right), scale}, nil
	case "-":
		return exact{new(big.Int).Sub(left, right), scale}, nil
	default:
		return exact{}, meaningless(operator)
	}
}

func times(operator string, one, other scalar) (scalar, *EvaluationError) {
	by := other.at
	of := typeDuration
	switch {
	case operator == "+" && one.of == typeDuration && other.of == typeTimestamp:
		of = typeTimestamp
	case operator == "+" && other.of == typeDuration:
		of = one.of
	case operator == "-" && other.of == typeDuration:
		of, by = one.of, by.negated()
	case operator == "-" && one.of == typeTimestamp:
		by = by.negated()
	default:
		return scalar{}, meaningless(operator)
	}
	sum := one.at.plus(by)
	if of == typeTimestamp {
		if sum = sum.asMoment(); !sum.isMoment() {
			return scalar{}, noMoment()
		}
	} else if !sum.isLength() {
		return scalar{}, noLength()
	}
	return scalar{of: of, at: sum}, nil
}

// size counts code points, octets, elements or entries.
func size(operand item, of valueType) (int, *EvaluationError) {
	switch {
	case of == typeString || of == typeBytes:
		found, err := operand.some(of)
		if of == typeString {
			return utf8.RuneCountInString(found.text), err
		}
		return len(found.octets), err
	case operand.isList:
		return len(operand.list), nil
	}
	json, err := operand.wire()
	switch {
	case err != nil:
		return 0, err
	case json.isNull():
		return 0, errNull()
	case json.is(kindString) && of == typeJSON:
		return utf8.RuneCountInString(json.text), nil
	case json.is(kindList) && of != typeMap:
		return len(json.items), nil
	case json.is(kindObject) && of != typeList:
		return len(json.keys), nil
	default:
		return 0, noForm(of)
	}
}
