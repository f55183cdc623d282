import type { Visibility } from '../../domain/shared/visibility.js';
import type { ArchiveFormat } from '../../domain/repositories/archive-name.js';
import { titleOf } from '../../domain/repositories/commit-message.js';
import type { Project } from '../../domain/workspace/namespace.js';
import type { NoteWithAuthor } from '../collaboration/ports/note-ports.js';
import type { Commit } from '../repositories/ports/object-stores.js';
import type { DiffPosition } from '../../domain/shared/diff-position.js';
import type { IssueDetails } from '../planning/ports/planning-readers.js';

const VISIBILITY_LEVEL: Readonly<Record<Visibility, number>> = { private: 0, internal: 10, public: 20 };

/** The public addresses that payloads name. */
export interface WebhookUrls {
  project(fullPath: string): string;
  user(username: string): string;
  issue(projectPath: string, iid: number): string;
  mergeRequest(projectPath: string, iid: number): string;
  pipeline(projectPath: string, id: number): string;
  release(projectPath: string, tag: string): string;
  archive(project: Pick<Project, 'fullPath' | 'path'>, ref: string, format: ArchiveFormat): string;
  cloneByHttp(projectPath: string): string;
  cloneBySsh(projectPath: string): string;
}

export const presentProject = (project: Project, urls: WebhookUrls) => {
  const [web, http, ssh] = [
    urls.project(project.fullPath),
    urls.cloneByHttp(project.fullPath),
    urls.cloneBySsh(project.fullPath),
  ];
  return {
    id: project.id,
    name: project.name,
    description: project.description,
    web_url: web,
    avatar_url: null,
    git_ssh_url: ssh,
    git_http_url: http,
    namespace: project.namespace.name,
    visibility_level: VISIBILITY_LEVEL[project.visibility],
    path_with_namespace: project.fullPath,
    default_branch: project.defaultBranch,
    homepage: web,
    url: ssh,
    ssh_url: ssh,
    http_url: http,
  };
};

export const presentRepository = (project: Project, urls: WebhookUrls) => ({
  name: project.name,
  url: urls.cloneBySsh(project.fullPath),
  description: project.description,
  homepage: urls.project(project.fullPath),
  git_http_url: urls.cloneByHttp(project.fullPath),
  git_ssh_url: urls.cloneBySsh(project.fullPath),
  visibility_level: VISIBILITY_LEVEL[project.visibility],
});

/** A commit as a receiver finds it: without what it changed. */
export const presentCommit = ({ id, message, author }: Commit, { fullPath }: Project, urls: WebhookUrls) => ({
  id,
  message,
  title: titleOf(message),
  timestamp: author.at,
  url: `${urls.project(fullPath)}/-/commit/${id}`,
  author: { name: author.name, email: author.email },
});

export const presentPeople = (people: IssueDetails['assignees']) =>
  people.map(({ id, name, username }) => ({ id, name, username, avatar_url: null }));

/** How receivers read where a comment on a line is: as the API shows it. */
export interface PresentLines {
  position(of: DiffPosition): object;
  code(of: DiffPosition): string;
}

interface Noted {
  /** A commit has no id but its own. */
  readonly noteable: readonly [type: string, id: number | null];
  readonly page: string;
  readonly lines: PresentLines;
}

const typeOf = ({ place, discussionId }: NoteWithAuthor): 'DiffNote' | 'DiscussionNote' | null => {
  if (place !== null) return 'DiffNote';
  return discussionId === null ? null : 'DiscussionNote';
};

export const presentNote = (
  note: NoteWithAuthor,
  { id }: Project,
  { noteable: [type, noteableId], page, lines }: Noted,
) => ({
  id: note.id,
  note: note.body,
  type: typeOf(note),
  noteable_type: type,
  noteable_id: noteableId,
  author_id: note.author?.id ?? null,
  project_id: id,
  system: note.system,
  commit_id: null,
  line_code: note.place && lines.code(note.place.original),
  position: note.place && lines.position(note.place.position),
  original_position: note.place && lines.position(note.place.original),
  created_at: note.createdAt.toISOString(),
  url: `${page}#note_${note.id}`,
  action: 'create',
});
