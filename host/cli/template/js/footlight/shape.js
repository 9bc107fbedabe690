// Objects as the vocabulary spells them.

/** Returns an object without the members that are not set. */
export const set = (members) => Object.fromEntries(Object.entries(members).filter(([, value]) => value != null));

/** Returns a function that makes an object of a text or a list: a text is each of its members, a list has them in order. */
export const one = (...names) => (value) => {
  if (typeof value === "string") return Object.fromEntries(names.map((name) => [name, value]));
  return Array.isArray(value) ? Object.fromEntries(names.slice(0, value.length).map((name, index) => [name, value[index]])) : value;
};

/** Returns a function that makes a list of objects. The members of an object are pairs. */
export const each = (...names) => (values) => (Array.isArray(values) ? values : Object.entries(values)).map(one(...names));

/** Replaces what stands for an object, where it is given. */
export const shaped = (members, shorthands) => {
  for (const [name, shape] of Object.entries(shorthands)) {
    if (members[name] != null) members[name] = shape(members[name]);
  }
  return set(members);
};

const isNode = (value) => typeof value === "object" && typeof value.type === "string";

/** Returns the function of a component. */
export const component = (type, positional, children, shorthands) => (...given) => {
  const props = {};
  for (const name of positional) props[name] = given.shift();
  // No prop is called `type`, so an object without it holds props.
  if (given.length > 0 && given[0] && !isNode(given[0])) Object.assign(props, given.shift());
  const node = { type, ...shaped(props, shorthands) };
  const nodes = given.filter((child) => child);
  if (children === "one") node.children = nodes[0] ?? null;
  else if (children === "list" || (children === "some" && nodes.length > 0)) node.children = nodes;
  return node;
};

/** Returns the function of a field of a question. */
export const control = (type) => (name, options = {}) => ({ name, type, ...set(options) });
