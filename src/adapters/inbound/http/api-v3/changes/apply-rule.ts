import type { ChangeRule } from './api-change.js';
import { fieldOf, valuesOf, type Field, type OldRequest } from './old-request.js';
import { fillPath, matchPath, type Captures } from './path-pattern.js';

/** Malformed encodings are no reason to refuse: what can't be decoded stays as it was sent. */
const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const methodMatches = ({ methods }: ChangeRule, { method }: OldRequest): boolean =>
  methods === undefined || methods.includes(method === 'HEAD' ? 'GET' : method);

const pathMatches = ({ paths, where = {} }: ChangeRule, { segments }: OldRequest): Captures | undefined => {
  for (const pattern of paths) {
    const captures = matchPath(pattern, segments);
    if (captures === undefined) continue;
    if (Object.entries(where).every(([name, condition]) => condition(decode(captures.get(name) ?? ''))))
      return captures;
  }
  return undefined;
};

const parametersMatch = ({ given, when }: ChangeRule, request: OldRequest): boolean =>
  (given === undefined || request.fields.some(({ name }) => given.includes(name))) && (when?.(request) ?? true);

/** As a segment these would lead elsewhere. */
const NO_SEGMENT = new Set(['', '.', '..']);

/** What was captured, with the parameters that become part of the address; `undefined` when one of them is missing. */
const take = ({ takes = {} }: ChangeRule, request: OldRequest, captures: Captures): Captures | undefined => {
  const all = new Map(captures);
  for (const [name, names] of Object.entries(takes)) {
    const value = names.flatMap((each) => valuesOf(request, each)).find((each) => !NO_SEGMENT.has(each));
    if (value === undefined) return undefined;
    all.set(name, encodeURIComponent(value.toWellFormed()));
  }
  return all;
};

const rewriteFields = (rule: ChangeRule, { fields }: OldRequest, captures: Captures): readonly Field[] => {
  const taken = new Set(Object.values(rule.takes ?? {}).flat());
  const rewritten = fields
    .filter(({ name }) => !taken.has(name))
    .map((field) => {
      if (rule.fields === undefined || !Object.hasOwn(rule.fields, field.name)) return field;
      const [name, value] = rule.fields[field.name]!(field.value);
      return { ...field, name, value };
    });
  const added = Object.entries(rule.adds ?? {}).map(([name, value]) =>
    fieldOf(name, value.startsWith(':') ? decode(captures.get(value.slice(1)) ?? '') : value, 'query'),
  );
  return [...added, ...rewritten];
};

/** The request as it is after a change, or `undefined` when the rule does not concern it. */
export const applyRule = (rule: ChangeRule, request: OldRequest): OldRequest | undefined => {
  if (!methodMatches(rule, request) || !parametersMatch(rule, request)) return undefined;
  const matched = pathMatches(rule, request);
  const captures = matched === undefined ? undefined : take(rule, request, matched);
  if (captures === undefined) return undefined;
  return {
    method: rule.method ?? request.method,
    segments: rule.to === undefined ? request.segments : fillPath(rule.to, captures),
    fields: rewriteFields(rule, request, captures),
  };
};
