import { Type } from '@sinclair/typebox';
import type { TagDetails } from '../../../../../application/repositories/browse/tags.js';
import type { Project } from '../../../../../domain/workspace/namespace.js';
import { component } from '../../openapi/component.js';
import { nullable } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { CommitSchema, presentCommit } from './present-commit.js';

export const TagSchema = component(
  'schemas/Tag',
  Type.Object({
    name: Type.String(),
    message: Type.String({ description: 'Of an annotated tag' }),
    target: Type.String({ description: 'Id of the tag object, or of the commit where there is none' }),
    commit: nullable(CommitSchema),
    release: nullable(Type.Object({ tag_name: Type.String(), description: Type.String() })),
    protected: Type.Boolean(),
    created_at: nullable(Type.String({ format: 'date-time', description: 'Of an annotated tag' })),
  }),
);

export const presentTag = (tag: TagDetails, project: Pick<Project, 'id' | 'fullPath'>, urls: WebUrls) => ({
  name: tag.name,
  // Without the line end that git adds.
  message: tag.annotation?.message.replace(/\n$/, '') ?? '',
  target: tag.target,
  commit: tag.commit && presentCommit(tag.commit, project, urls),
  release: tag.release === undefined ? null : { tag_name: tag.name, description: tag.release.description ?? '' },
  protected: tag.protected,
  created_at: tag.annotation?.tagger?.at ?? null,
});
