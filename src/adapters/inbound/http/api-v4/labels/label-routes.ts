import { Type } from '@sinclair/typebox';
import type { Labels } from '../../../../../application/planning/labels.js';
import type { PlanningReader } from '../../../../../application/planning/ports/planning-readers.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import type { Actor } from '../../../../../application/shared/actor.js';
import type { Label } from '../../../../../domain/planning/label.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import { readPageRequest } from '../../pagination/page-headers.js';
import { route, type PathParameters, type Route } from '../../route.js';
import { pagedParameters, parameters, pathId, requiredText, text } from '../../validation/parameters.js';

export interface LabelRoutesParts {
  readonly access: WorkspaceAccess;
  readonly labels: Labels;
  readonly planningReader: PlanningReader;
}

const TAG = 'Labels';
const BASE = '/projects/:id/labels';

const LabelSchema = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  color: Type.String({ description: '#RRGGBB' }),
  description: Type.String(),
});

export const createLabelRoutes = ({ access, labels, planningReader }: LabelRoutesParts): readonly Route[] => {
  const id = pathId('Number, or URL-encoded path of the project');
  const one = { id, label_id: pathId('Id or name of the label') };
  const color = Type.Optional(text(7, '#RRGGBB'));
  const description = Type.Optional(text(1_000));

  const find =
    (permission: 'read_project' | 'manage_labels') =>
    async ({ actor, path }: { readonly actor: Actor; readonly path: PathParameters }): Promise<Label> => {
      const { project } = await access.project(actor, path['id'], permission);
      const label = await planningReader.findLabel(project.id, path['label_id'] ?? '');
      if (label === undefined) throw new NotFound('Label');
      return label;
    };

  const list = route({
    method: 'get',
    path: BASE,
    operationId: 'listLabels',
    summary: 'Labels of a project',
    tag: TAG,
    access: 'anyone',
    parameters: pagedParameters({ id }),
    responses: { 200: Type.Array(LabelSchema) },
    guard: ({ actor, path }) => access.project(actor, path['id'], 'read_project'),
    handle: async ({ subject: { project }, parameters: paging }) => {
      const request = readPageRequest(paging);
      const page = await planningReader.listLabels(project.id, request);
      return { body: page.items, page: { request, of: page } };
    },
  });

  const get = route({
    method: 'get',
    path: `${BASE}/:label_id`,
    operationId: 'getLabel',
    summary: 'One label',
    tag: TAG,
    access: 'anyone',
    parameters: parameters(one),
    responses: { 200: LabelSchema },
    guard: find('read_project'),
    handle: ({ subject }) => Promise.resolve({ body: subject }),
  });

  const post = route({
    method: 'post',
    path: BASE,
    operationId: 'createLabel',
    summary: 'Make a label',
    tag: TAG,
    access: 'user',
    parameters: parameters({ id, name: requiredText(255), color, description }),
    responses: { 201: LabelSchema },
    guard: ({ actor, path }) => access.project(actor, path['id'], 'manage_labels'),
    handle: async ({ subject: { project }, parameters: { id: _id, ...label } }) => ({
      status: 201,
      body: await labels.add(project.id, label),
    }),
  });

  const put = route({
    method: 'put',
    path: `${BASE}/:label_id`,
    operationId: 'editLabel',
    summary: 'Change a label',
    tag: TAG,
    access: 'user',
    parameters: parameters({ ...one, new_name: Type.Optional(requiredText(255)), color, description }),
    responses: { 200: LabelSchema },
    guard: find('manage_labels'),
    handle: async ({ subject, parameters: { new_name: name, color: newColor, description: words } }) => ({
      body: await labels.edit(subject, {
        ...(name === undefined ? {} : { name }),
        ...(newColor === undefined ? {} : { color: newColor }),
        ...(words === undefined ? {} : { description: words }),
      }),
    }),
  });

  const remove = route({
    method: 'delete',
    path: `${BASE}/:label_id`,
    operationId: 'removeLabel',
    summary: 'Remove a label',
    tag: TAG,
    access: 'user',
    parameters: parameters(one),
    responses: { 204: null },
    guard: find('manage_labels'),
    handle: async ({ subject }) => {
      await labels.remove(subject);
      return { status: 204 };
    },
  });

  return [list, get, post, put, remove];
};
