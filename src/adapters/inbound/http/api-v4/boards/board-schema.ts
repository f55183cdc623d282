import { Type } from '@sinclair/typebox';
import type { Board, BoardList } from '../../../../../domain/planning/board.js';
import type { Project } from '../../../../../domain/workspace/namespace.js';
import { component } from '../../openapi/component.js';
import type { WebUrls } from '../../web-urls.js';
import { LabelSchema, presentLabel } from '../labels/label-schema.js';
import { presentInShort, PROJECT_IN_SHORT } from '../projects/project-in-short.js';

export const BoardListSchema = component(
  'schemas/BoardList',
  Type.Object({
    id: Type.Integer(),
    label: LabelSchema,
    position: Type.Integer({ description: 'Counted from 0, from the left' }),
  }),
);

export const BoardSchema = component(
  'schemas/Board',
  Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    hide_backlog_list: Type.Boolean({ description: 'Always false: the column of open issues is always there' }),
    hide_closed_list: Type.Boolean({ description: 'Always false: the column of closed issues is always there' }),
    project: Type.Object({
      ...PROJECT_IN_SHORT,
      ssh_url_to_repo: Type.String(),
      http_url_to_repo: Type.String(),
      web_url: Type.String(),
    }),
    lists: Type.Array(BoardListSchema),
  }),
);

export const presentBoardList = ({ id, label }: BoardList, position: number) => ({
  id,
  label: presentLabel(label),
  position,
});

export const presentBoard = ({ id, name, lists }: Board, project: Project, urls: WebUrls) => ({
  id,
  name,
  hide_backlog_list: false,
  hide_closed_list: false,
  project: {
    ...presentInShort(project),
    ssh_url_to_repo: urls.cloneBySsh(project.fullPath),
    http_url_to_repo: urls.cloneByHttp(project.fullPath),
    web_url: urls.project(project.fullPath),
  },
  lists: lists.map(presentBoardList),
});
