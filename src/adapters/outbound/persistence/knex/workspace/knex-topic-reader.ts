import type { Topic, TopicReader } from '../../../../../application/workspace/ports/topic-reader.js';
import type { Viewer } from '../../../../../application/workspace/ports/workspace-readers.js';
import type { Page, PageRequest } from '../../../../../domain/shared/page.js';
import { pageOfRows } from '../page-of-rows.js';
import type { Session } from '../session.js';
import { containsPattern } from '../text-search.js';
import { visibleProjects } from '../visibility/visible.js';

interface TopicRow {
  readonly name: string;
  readonly projects: number | string;
}

export class KnexTopicReader implements TopicReader {
  constructor(private readonly session: Session) {}

  list(viewer: Viewer, page: PageRequest, search?: string): Promise<Page<Topic>> {
    const list = visibleProjects(this.session.query, viewer, (topics) =>
      topics.from('project_topics').join('projects', 'projects.id', 'project_topics.project_id'),
    )
      .groupBy('project_topics.name_key')
      // In their order the index has the topics, so that a page reads its own alone.
      .orderBy('project_topics.name_key')
      .min({ name: 'project_topics.name' })
      .count({ projects: '*' });
    if (search !== undefined)
      void list.whereRaw("project_topics.name_key like ? escape '\\'", [containsPattern(search)]);
    return pageOfRows(this.session, list, page, ({ name, projects }: TopicRow) => ({
      name,
      projects: Number(projects),
    }));
  }
}
