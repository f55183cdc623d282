import { LabelledGroups } from './labelled-groups.js';

export interface MilestoneBody {
  readonly id: number;
  readonly iid: number;
  readonly title: string;
  readonly state: string;
  readonly due_date: string | null;
  readonly web_url: string;
  readonly project_id?: number;
  readonly group_id?: number;
}

/** What is planned for a milestone. */
export interface PlannedBody {
  readonly id: number;
  readonly iid: number;
  readonly title: string;
  readonly milestone: MilestoneBody | null;
}

/** Groups, projects and their milestones, made by the API. */
export class PlannedGroups extends LabelledGroups {
  override call<Body = MilestoneBody>(...asked: Parameters<LabelledGroups['call']>) {
    return super.call<Body>(...asked);
  }

  async #added<Body>(path: string, json: object): Promise<Body> {
    const { status, body } = await this.call<Body>('POST', path, json);
    if (status !== 201) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  }

  milestone(place: string, title: string, fields: object = {}): Promise<MilestoneBody> {
    return this.#added(`${place}/milestones`, { title, ...fields });
  }

  planned(project: number, fields: object = {}): Promise<PlannedBody> {
    return this.#added(`/projects/${project}/issues`, { title: 'smoke', ...fields });
  }

  async milestonesOf(place: string, query = ''): Promise<readonly MilestoneBody[]> {
    return (await this.call<readonly MilestoneBody[]>('GET', `${place}/milestones${query}`)).body;
  }

  async titlesOf(place: string, query = ''): Promise<readonly string[]> {
    return (await this.milestonesOf(place, query)).map(({ title }) => title);
  }
}
