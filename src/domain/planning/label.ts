import type { ProblemCollector } from '../shared/problem-collector.js';

export interface Label {
  readonly id: number;
  readonly name: string;
  /** `#RRGGBB`. */
  readonly color: string;
  readonly description: string;
}

export const DEFAULT_LABEL_COLOR = '#6699CC';

export const checkLabel = (problems: ProblemCollector, { name, color }: Pick<Label, 'name' | 'color'>): void => {
  problems
    .check(name.trim() !== '', 'title', "can't be blank")
    .check(name.length <= 255, 'title', 'is too long (maximum is 255 characters)')
    // Lists of labels are written with commas.
    .check(!name.includes(','), 'title', 'is invalid')
    .check(/^#[0-9A-Fa-f]{6}$/.test(color), 'color', 'must be a valid color code');
};
