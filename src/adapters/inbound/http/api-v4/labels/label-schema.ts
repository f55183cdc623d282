import { Type } from '@sinclair/typebox';
import type { LabelCounts } from '../../../../../application/planning/ports/planning-overview.js';
import { textColorOn, type Label, type UsableLabel } from '../../../../../domain/planning/label.js';
import { nullable } from '../../validation/parameters.js';
import { component } from '../../openapi/component.js';

const FIELDS = {
  id: Type.Integer(),
  name: Type.String(),
  color: Type.String({ description: '#RRGGBB' }),
  text_color: Type.String({ description: 'Of the name upon that color' }),
  description: Type.String(),
};

export const LabelSchema = component('schemas/Label', Type.Object(FIELDS));

const COUNTS = {
  open_issues_count: Type.Optional(Type.Integer({ description: 'With `with_counts`, of those that you may see' })),
  closed_issues_count: Type.Optional(Type.Integer()),
  open_merge_requests_count: Type.Optional(Type.Integer()),
  subscribed: Type.Boolean({ description: 'Whether you are told of what gets it' }),
};

/** Where a group tells of its labels. */
export const GroupLabelSchema = component('schemas/GroupLabel', Type.Object({ ...FIELDS, ...COUNTS }));

/** Where a project tells of its labels. */
export const ProjectLabelSchema = component(
  'schemas/ProjectLabel',
  Type.Object({
    ...FIELDS,
    ...COUNTS,
    priority: nullable(Type.Integer({ description: 'The least number matters most; null where nobody said' })),
    is_project_label: Type.Boolean({ description: 'False of a label of a group above' }),
  }),
);

export const presentLabel = ({ id, name, color, description }: Label) => ({
  id,
  name,
  color,
  text_color: textColorOn(color),
  description,
});

const presentCounts = ({ openIssues, closedIssues, openMergeRequests }: LabelCounts) => ({
  open_issues_count: openIssues,
  closed_issues_count: closedIssues,
  open_merge_requests_count: openMergeRequests,
});

/** Of a label that nothing has. */
export const NO_COUNTS: LabelCounts = { openIssues: 0, closedIssues: 0, openMergeRequests: 0 };

/** @param subscribed whether the caller is. */
export const presentGroupLabel = (label: Label, subscribed: boolean, counts?: LabelCounts) => ({
  ...presentLabel(label),
  ...(counts === undefined ? {} : presentCounts(counts)),
  subscribed,
});

/** @param subscribed whether the caller is. */
export const presentProjectLabel = (
  label: Label & Partial<Pick<UsableLabel, 'group'>>,
  subscribed: boolean,
  counts?: LabelCounts,
) => ({
  ...presentGroupLabel(label, subscribed, counts),
  priority: label.priority,
  is_project_label: (label.group ?? null) === null,
});
