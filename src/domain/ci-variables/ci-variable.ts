import { Invalid } from '../shared/domain-error.js';
import type { GroupId, ProjectId } from '../shared/identifiers.js';
import { ProblemCollector } from '../shared/problem-collector.js';

/** A file variable is handed to a job as the path of a file that holds the value. */
export const CI_VARIABLE_TYPES = ['env_var', 'file'] as const;
export type CiVariableType = (typeof CI_VARIABLE_TYPES)[number];

/** Whose jobs are given a variable: one project's, those of all projects below a group, or everybody's. */
export type CiVariableOwner =
  | { readonly kind: 'instance' }
  | { readonly kind: 'group'; readonly id: GroupId }
  | { readonly kind: 'project'; readonly id: ProjectId };

/** What is said of a variable beside its value. */
export interface CiVariableTraits {
  readonly type: CiVariableType;
  /** Only jobs of protected branches and tags are given it. */
  readonly protected: boolean;
  /** Runners keep its value out of logs. */
  readonly masked: boolean;
  /** What looks like another variable in its value is left as it is. */
  readonly raw: boolean;
  /** The environments whose jobs are given it; `*` stands for any text. */
  readonly environmentScope: string;
  readonly description: string | null;
}

export interface CiVariable extends CiVariableTraits {
  readonly key: string;
  readonly value: string;
}

const EVERY_ENVIRONMENT = '*';

/** What a variable is where nothing is said of it. */
export const ORDINARY_TRAITS: CiVariableTraits = {
  type: 'env_var',
  protected: false,
  masked: false,
  raw: false,
  environmentScope: EVERY_ENVIRONMENT,
  description: null,
};

export const MAX_VARIABLE_KEY = 255;
export const MAX_VARIABLE_VALUE = 10_000;
export const MAX_ENVIRONMENT_SCOPE = 255;
export const MAX_VARIABLE_DESCRIPTION = 255;
/** More than people look after; every job is given all of them. */
const MOST_VARIABLES = 200;

const KEY = /^[A-Za-z0-9_]+$/;
const SCOPE = /^[A-Za-z0-9_/\\${}. *-]+$/;
/** One line of at least eight characters that no shell, address or encoding writes otherwise: what a log can be searched for. */
const MASKABLE = /^[A-Za-z0-9_+=/@:.~-]{8,}$/;

const checkKey = (problems: ProblemCollector, key: string): void => {
  if (key === '') problems.add('key', "can't be blank");
  else
    problems
      .check(key.length <= MAX_VARIABLE_KEY, 'key', `is too long (maximum is ${MAX_VARIABLE_KEY} characters)`)
      .check(KEY.test(key), 'key', "can contain only letters, digits and '_'.");
};

const checkScope = (problems: ProblemCollector, scope: string): void => {
  if (scope === '') problems.add('environment_scope', "can't be blank");
  else
    problems.check(
      scope.length <= MAX_ENVIRONMENT_SCOPE && SCOPE.test(scope),
      'environment_scope',
      "can contain only letters, digits, spaces, '*', '-', '_', '/', '\\', '$', '{', '}' and '.'",
    );
};

/** Whether a value can be found in a log, and so be kept out of it. */
const isMaskable = (value: string): boolean => MASKABLE.test(value);

/** @throws Invalid at `key`, `value`, `environment_scope` and `description`. */
export const checkCiVariable = ({ key, value, masked, environmentScope, description }: CiVariable): void => {
  const problems = new ProblemCollector();
  checkKey(problems, key);
  checkScope(problems, environmentScope);
  problems
    .check(value.length <= MAX_VARIABLE_VALUE, 'value', `is too long (maximum is ${MAX_VARIABLE_VALUE} characters)`)
    // No environment of a process can hold it.
    .check(!value.includes('\0') && (!masked || isMaskable(value)), 'value', 'is invalid')
    .check(
      (description ?? '').length <= MAX_VARIABLE_DESCRIPTION,
      'description',
      `is too long (maximum is ${MAX_VARIABLE_DESCRIPTION} characters)`,
    )
    .refuse();
};

/** @throws Invalid. */
export const requireRoomForVariable = ({ kind }: CiVariableOwner, variables: number): void => {
  if (variables < MOST_VARIABLES) return;
  throw new Invalid({ base: [`Maximum number of ${kind} ci variables (${MOST_VARIABLES}) exceeded`] });
};

/** Whether the jobs of an environment are given what has this scope. */
export const isInScope = (scope: string, environment: string | undefined): boolean => {
  if (scope === EVERY_ENVIRONMENT) return true;
  if (environment === undefined) return false;
  return matchesWildcards(scope, environment);
};

/** Part by part and never back: no text makes this slow. */
const matchesWildcards = (pattern: string, text: string): boolean => {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let from = first.length;
  for (const part of rest) {
    const at = text.indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  return text.length - last.length >= from && text.endsWith(last);
};

/** How much a scope says: of those of one owner that fit, the one that says most wins. */
export const weightOfScope = (scope: string): number =>
  scope.replaceAll('*', '').length * 2 + (scope.includes('*') ? 0 : 1);
