import { expect } from '@jest/globals';
import type { Answer, TestUser } from './test-service.js';
import { until } from './until.js';
import type { WrittenProject } from './written-project.js';

/** Twelve lines, of which a merge request changes the sixth, removes the eighth, and adds one at the end. */
const BEFORE = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
export const FILE_BEFORE = `${BEFORE.join('\n')}\n`;
export const FILE_AFTER = `${[...BEFORE.slice(0, 5), 'SIX', 'seven', ...BEFORE.slice(8), 'thirteen'].join('\n')}\n`;
export const FILE = 'src/weave.txt';

export interface DiffRefs {
  readonly base_sha: string;
  readonly start_sha: string;
  readonly head_sha: string;
}

export interface ShownSuggestion {
  readonly id: number;
  readonly from_line: number;
  readonly to_line: number;
  readonly appliable: boolean;
  readonly applied: boolean;
  readonly from_content: string;
  readonly to_content: string;
}

export interface ShownDiffNote {
  readonly id: number;
  readonly type: string | null;
  readonly body: string;
  readonly position?: DiffRefs & {
    readonly old_path: string;
    readonly new_path: string;
    readonly old_line: number | null;
    readonly new_line: number | null;
    readonly line_range: unknown;
  };
  readonly outdated?: boolean;
  readonly suggestions?: readonly ShownSuggestion[];
  readonly resolvable: boolean;
  readonly resolved?: boolean;
}

export interface ShownDiscussion {
  readonly id: string;
  readonly individual_note: boolean;
  readonly notes: readonly ShownDiffNote[];
}

/** The line that the merge request changed: of the file after. */
export const CHANGED_LINE = { new_path: FILE, old_path: FILE, new_line: 6 };

const isOf = (position: DiffRefs, refs: DiffRefs): boolean =>
  (['base_sha', 'start_sha', 'head_sha'] as const).every((sha) => position[sha] === refs[sha]);

/** A merge request whose lines people talk about. */
export class ReviewedLines {
  private constructor(
    readonly of: WrittenProject,
    readonly iid: number,
  ) {}

  static async open(of: WrittenProject): Promise<ReviewedLines> {
    await of.write('main', { [FILE]: FILE_BEFORE, 'other.txt': 'other\n' });
    await ReviewedLines.#update(of, 'feature', FILE_AFTER, { start_branch: 'main' });
    const json = { source_branch: 'feature', target_branch: 'main', title: 'Weave' };
    const { status, body } = await of.call<{ iid: number }>('POST', '/merge_requests', json);
    expect(status).toBe(201);
    return new ReviewedLines(of, body.iid);
  }

  static async #update(of: WrittenProject, branch: string, content: string, more: object = {}): Promise<string> {
    const answer = await of.commit(branch, 'Weave', [{ action: 'update', file_path: FILE, content }], more);
    expect(answer.status).toBe(201);
    return answer.body.id;
  }

  get path(): string {
    return `/merge_requests/${this.iid}`;
  }

  /** Puts other text into the file, on the source branch. */
  push(content: string): Promise<string> {
    return ReviewedLines.#update(this.of, 'feature', content);
  }

  call<Body = unknown>(method: string, path: string, json?: unknown, user?: TestUser): Promise<Answer<Body>> {
    return this.of.call<Body>(method, `${this.path}${path}`, json, user);
  }

  async refs(): Promise<DiffRefs> {
    return (await this.call<{ diff_refs: DiffRefs }>('GET', '')).body.diff_refs;
  }

  /** Says something of lines, of the newest version unless told. */
  async say(body: string, position: object = CHANGED_LINE, user?: TestUser): Promise<Answer<ShownDiscussion>> {
    const sent = { position_type: 'text', ...(await this.refs()), ...position };
    return this.call<ShownDiscussion>('POST', '/discussions', { body, position: sent }, user);
  }

  /** The same, which must succeed. */
  async said(body: string, position?: object): Promise<ShownDiscussion> {
    const answer = await this.say(body, position);
    expect([answer.status, answer.body]).toEqual([201, expect.objectContaining({ id: expect.any(String) })]);
    return answer.body;
  }

  /** The first note of a discussion, once it has followed its lines to the newest version, or is told as outdated. */
  async shown({ id }: Pick<ShownDiscussion, 'id'>): Promise<ShownDiffNote> {
    let note: ShownDiffNote | undefined;
    await until(async () => {
      const refs = await this.refs();
      const { body } = await this.call<ShownDiscussion>('GET', `/discussions/${id}`);
      note = body.notes[0]!;
      const { position, outdated } = note;
      return position === undefined || outdated === true || isOf(position, refs);
    });
    return note!;
  }
}
