import { join, relative } from 'node:path';
import * as is from 'typescript/unstable/ast/is';
import { API, TypeFlags } from 'typescript/unstable/sync';

const NOTHING_EXPECTED = TypeFlags.Any | TypeFlags.Unknown | TypeFlags.Never | TypeFlags.NonPrimitive;

/**
 * Reads every object literal of the project in `root` and answers what hides its fields from the compiler, one line each.
 * The compiler finds a wrong field where it stands in the literal itself, and not in one that is spread into it. So
 * `...{ a, b }` is a fault; `...(isKnown && { a })`, which leaves a field out, is none, and the names of such fields are
 * looked up here, in the type that is expected of the literal around.
 */
export function faultsOfLiterals(root) {
  const api = new API({ cwd: root });
  try {
    const config = join(root, 'tsconfig.json');
    const { program, checker } = api.updateSnapshot({ openProjects: [config] }).getProject(config);
    return program.getSourceFileNames().flatMap((path) => {
      if (relative(root, path).startsWith('..') || path.includes('/node_modules/')) return [];
      const file = program.getSourceFile(path);
      return /\.\.\.\s*[({]/.test(file.text)
        ? faultsIn(file, checker).map((fault) => `${relative(root, path)}:${fault}`)
        : [];
    });
  } finally {
    api.close();
  }
}

function faultsIn(file, checker) {
  const faults = [];
  const say = (node, fault) => faults.push(`${file.text.slice(0, node.getStart(file)).split('\n').length}: ${fault}`);
  const visit = (node) => {
    node.forEachChild(visit);
    if (!is.isSpreadAssignment(node) && !is.isJsxSpreadAttribute(node)) return;
    const spread = bare(node.expression);
    if (is.isObjectLiteralExpression(spread)) say(node, 'the fields of a literal are written where it would be spread');
    else for (const literal of choicesOf(spread)) lookUp(literal, checker.getContextualType(node.parent));
  };
  const lookUp = (literal, expected) => {
    for (const { name } of literal.properties) {
      if (name?.text === undefined || isKnown(name.text, expected, checker)) continue;
      say(name, `${name.text} is no field of what is expected here`);
    }
  };
  visit(file);
  return faults;
}

function bare(expression) {
  return is.isParenthesizedExpression(expression) ? bare(expression.expression) : expression;
}

/** The literals of which an expression gives one, or none. */
function choicesOf(expression) {
  const node = bare(expression);
  if (is.isObjectLiteralExpression(node)) return [node];
  if (is.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse].flatMap(choicesOf);
  return is.isBinaryExpression(node) ? [node.left, node.right].flatMap(choicesOf) : [];
}

/** Whether a type, or one of those it is a choice of, may have a field of that name. */
function isKnown(name, type, checker) {
  if (type === undefined || type.flags & NOTHING_EXPECTED) return true;
  if (type.isUnionType()) return type.getTypes().some((some) => isKnown(name, some, checker));
  const whole = type.isTypeParameter() ? checker.getBaseConstraintOfType(type) : type;
  if (whole === undefined) return true;
  return (
    checker.getPropertyOfType(whole, name) !== undefined ||
    checker.getIndexInfosOfType(whole).length > 0 ||
    (whole.isObjectType() && checker.getPropertiesOfType(whole).length === 0)
  );
}
