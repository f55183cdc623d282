import { Type } from '@sinclair/typebox';
import type {
  CiVariables,
  OwnedVariable,
  VariableHolder,
} from '../../../../../application/ci-variables/ci-variables.js';
import type { Actor } from '../../../../../application/shared/actor.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import {
  CI_VARIABLE_TYPES,
  MAX_ENVIRONMENT_SCOPE,
  MAX_VARIABLE_DESCRIPTION,
  MAX_VARIABLE_KEY,
  type CiVariableTraits,
} from '../../../../../domain/ci-variables/ci-variable.js';
import { Forbidden } from '../../../../../domain/shared/domain-error.js';
import { clearable, given } from '../../kit/given.js';
import { GROUP_ID, inGroup, inProject, PROJECT_ID } from '../../kit/guards.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import type { Decide, Guard, GuardContext, Route } from '../../route.js';
import { clearableText, objectOf, oneOf, pathId, text, type ParametersOf } from '../../validation/parameters.js';
import { CiVariableSchema, presentCiVariable } from './ci-variable-schema.js';

export interface CiVariableRoutesParts {
  readonly access: WorkspaceAccess;
  readonly ciVariables: CiVariables;
}
type Parts = CiVariableRoutesParts;

const { list, get, post, put, remove } = routesOf({ tag: 'CI variables' });

/** Longer than a value may be, so that whoever sends one is told how long it may be. */
const MAX_SENT_VALUE = 100_000;

const flag = (description: string) => Type.Optional(Type.Boolean({ description }));
const TRAITS = {
  variable_type: Type.Optional(oneOf(CI_VARIABLE_TYPES, { description: '`file`: jobs find it in a file' })),
  protected: flag('Only jobs of protected branches and tags are given it'),
  masked: flag('Runners keep its value out of logs'),
  raw: flag('What looks like another variable in its value is left as it is'),
  description: Type.Optional(clearableText(MAX_VARIABLE_DESCRIPTION, 'What it is for')),
};
const SCOPE = {
  environment_scope: Type.Optional(
    text(MAX_ENVIRONMENT_SCOPE, 'The environments whose jobs are given it; `*` stands for any text'),
  ),
};
const FILTER = {
  filter: Type.Optional(
    objectOf(
      { environment_scope: Type.Optional(text(MAX_ENVIRONMENT_SCOPE, 'Its scope')) },
      'Which of several with the same key',
    ),
  ),
};
const VALUE = text(MAX_SENT_VALUE, 'What jobs are given, of at most 10000 characters');
const KEY = { key: pathId('The key of the variable') };

type Sent = Partial<ParametersOf<typeof TRAITS & typeof SCOPE>>;
const traitsOf = (sent: Sent): Partial<CiVariableTraits> =>
  given({
    type: sent.variable_type,
    protected: sent.protected,
    masked: sent.masked,
    raw: sent.raw,
    description: clearable(sent.description),
    environmentScope: sent.environment_scope,
  });

const asAdministrator = (actor: Actor): VariableHolder => {
  if (actor.kind !== 'user') throw new Forbidden();
  return { administrator: actor };
};

/** The same five routes for projects, for groups, and for the installation. */
interface Collection {
  readonly path: '/projects/:id/variables' | '/groups/:id/variables' | '/admin/ci/variables';
  /** As in `listProjectVariables`. */
  readonly name: 'Project' | 'Group' | 'Instance';
  /** What a refusal calls a variable. */
  readonly noun: 'Variable' | 'GroupVariable' | 'InstanceVariable';
  readonly of: string;
  readonly access: 'user' | 'admin';
  readonly id: { readonly id?: typeof PROJECT_ID };
  readonly scope: Partial<typeof SCOPE>;
  readonly filter: Partial<typeof FILTER>;
  readonly guard: Guard<VariableHolder>;
}

interface Found {
  readonly holder: VariableHolder;
  readonly variable: OwnedVariable;
}

const scopeIn = ({ sent: { filter } }: GuardContext): string | undefined => {
  if (typeof filter !== 'object' || filter === null) return undefined;
  const { environment_scope: scope } = filter as Readonly<Record<string, unknown>>;
  return typeof scope === 'string' ? scope : undefined;
};

const variableIn = ({ ciVariables }: Parts, { guard, noun, filter }: Collection): Guard<Found> => {
  const decide: Decide<Found> = async (context) => {
    const holder = await guard.decide(context);
    const scope = 'filter' in filter ? scopeIn(context) : undefined;
    const variable = await ciVariables.findByKey(holder, context.path['key'] ?? '', scope);
    return { holder, variable: orNotFound(variable, noun) };
  };
  return { ...guard, decide };
};

const listVariables = ({ ciVariables }: Parts, { path, name, of, access, id, guard }: Collection): Route =>
  list(path, `list${name}Variables`, {
    summary: `CI variables of ${of}`,
    access,
    parameters: { ...id },
    items: CiVariableSchema,
    guard,
    read: ({ subject, page }) => ciVariables.list(subject, page),
    present: presentCiVariable,
  });

const getVariable = (parts: Parts, collection: Collection): Route =>
  get(`${collection.path}/:key`, `get${collection.name}Variable`, {
    summary: 'One CI variable',
    access: collection.access,
    parameters: { ...collection.id, ...KEY, ...collection.filter },
    answer: CiVariableSchema,
    guard: variableIn(parts, collection),
    handle: ({ subject }) => presentCiVariable(subject.variable),
  });

const addVariable = ({ ciVariables }: Parts, { path, name, access, id, scope, guard }: Collection): Route =>
  post(path, `add${name}Variable`, {
    summary: 'Add a CI variable',
    description:
      'An owner has at most 200. A masked value is one line of at least eight letters, digits, or characters of `_+=/@:.~-`.',
    access,
    parameters: {
      ...id,
      key: text(2_000, `Letters, digits and \`_\`, at most ${MAX_VARIABLE_KEY}`),
      value: VALUE,
      ...TRAITS,
      masked_and_hidden: flag('The same as `masked`: it is not hidden from whoever looks after it'),
      ...scope,
    },
    answer: CiVariableSchema,
    guard,
    handle: async ({ subject, parameters: { key, value, masked_and_hidden: hidden, ...sent } }) => {
      // Whoever asks for more than masking must not get less.
      const traits = hidden === true ? { ...sent, masked: true } : sent;
      return presentCiVariable(await ciVariables.add(subject, { key, value }, traitsOf(traits)));
    },
  });

const changeVariable = (parts: Parts, collection: Collection): Route =>
  put(`${collection.path}/:key`, `change${collection.name}Variable`, {
    summary: 'Change a CI variable',
    access: collection.access,
    parameters: {
      ...collection.id,
      ...KEY,
      value: Type.Optional(VALUE),
      ...TRAITS,
      ...collection.scope,
      ...collection.filter,
    },
    answer: CiVariableSchema,
    guard: variableIn(parts, collection),
    handle: async ({ subject: { holder, variable }, parameters: { value, ...traits } }) =>
      presentCiVariable(
        await parts.ciVariables.change(holder, variable.id, { ...traitsOf(traits), ...given({ value }) }),
      ),
  });

const removeVariable = (parts: Parts, collection: Collection): Route =>
  remove(`${collection.path}/:key`, `remove${collection.name}Variable`, {
    summary: 'Remove a CI variable',
    access: collection.access,
    parameters: { ...collection.id, ...KEY, ...collection.filter },
    guard: variableIn(parts, collection),
    handle: ({ subject: { holder, variable } }) => parts.ciVariables.remove(holder, variable.id),
  });

const ofProjects = ({ access }: Parts): Collection => ({
  path: '/projects/:id/variables',
  name: 'Project',
  noun: 'Variable',
  of: 'a project',
  access: 'user',
  id: { id: PROJECT_ID },
  scope: SCOPE,
  filter: FILTER,
  guard: inProject(access, 'manage_ci_variables'),
});

const ofGroups = ({ access }: Parts): Collection => ({
  path: '/groups/:id/variables',
  name: 'Group',
  noun: 'GroupVariable',
  of: 'a group',
  access: 'user',
  id: { id: GROUP_ID },
  scope: SCOPE,
  filter: FILTER,
  guard: inGroup(access, 'manage_group_ci_variables'),
});

const ofTheInstance: Collection = {
  path: '/admin/ci/variables',
  name: 'Instance',
  noun: 'InstanceVariable',
  of: 'the installation: every job is given them',
  access: 'admin',
  id: {},
  scope: {},
  filter: {},
  // The access of the route is that of administrators, and the use case asks again.
  guard: { decide: ({ actor }) => Promise.resolve(asAdministrator(actor)) },
};

const ROUTES = [listVariables, getVariable, addVariable, changeVariable, removeVariable];

export const createCiVariableRoutes = (parts: Parts): readonly Route[] =>
  [ofProjects(parts), ofGroups(parts), ofTheInstance].flatMap((each) => ROUTES.map((make) => make(parts, each)));
