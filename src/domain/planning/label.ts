import { Invalid } from '../shared/domain-error.js';
import type { GroupId } from '../shared/identifiers.js';
import type { ProblemCollector } from '../shared/problem-collector.js';
import { CSS_COLORS } from './css-colors.js';

export interface Label {
  readonly id: number;
  readonly name: string;
  /** `#RRGGBB`. */
  readonly color: string;
  readonly description: string;
  /** The least number matters most; null where nobody said. */
  readonly priority: number | null;
}

/** What people say of a label. */
export type NamedLabel = Pick<Label, 'name' | 'color' | 'description'>;

/** A group, as its labels name it. */
export interface LabelGroup {
  readonly id: GroupId;
  readonly name: string;
  readonly fullPath: string;
}

/** A label that a project has, or one of a group above that its issues can have as well. */
export interface UsableLabel extends Label {
  /** Null of one that is the project's own. */
  readonly group: LabelGroup | null;
}

/** So many labels a group has of its own. */
export const MAX_LABELS_OF_GROUP = 1_000;

/** So many labels an issue or a merge request has: lists show all of them. */
export const MOST_LABELS = 100;

/** What has more from before may lose some, and gets none. @throws Invalid. */
export const requireRoomForLabels = (labels: number, added: number): void => {
  if (added > 0 && labels > MOST_LABELS) throw new Invalid({ labels: [`are at most ${MOST_LABELS}`] });
};

/** What lists show of a label. */
export type LabelChip = Pick<Label, 'name' | 'color'>;

/** Above this sum of red, green and blue a color is light. */
const LIGHT = 500;

/** The color in which the name of a label can be read upon its own. */
export const textColorOn = (color: string): '#1F1E24' | '#FFFFFF' => {
  const parts = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  return parts.reduce((sum, part) => sum + part, 0) > LIGHT ? '#1F1E24' : '#FFFFFF';
};

/** What a column of numbers holds. */
export const MAX_LABEL_PRIORITY = 2_147_483_647;

export const DEFAULT_LABEL_COLOR = '#6699CC';

/** As long as the longest name of a color. */
export const MAX_WRITTEN_COLOR = 20;

/** `#RRGGBB` of a color that is written so, with three digits, or by the name that CSS has for it; other text stays as it is. */
export const colorWrittenAs = (written: string): string => {
  if (/^#[0-9A-Fa-f]{3}$/.test(written)) return written.replace(/[0-9A-Fa-f]/g, '$&$&');
  return CSS_COLORS.get(written.toLowerCase()) ?? written;
};

export const checkLabel = (problems: ProblemCollector, { name, color }: Pick<Label, 'name' | 'color'>): void => {
  problems
    .check(name.trim() !== '', 'title', "can't be blank")
    .check(name.length <= 255, 'title', 'is too long (maximum is 255 characters)')
    // Lists of labels are written with commas.
    .check(!name.includes(','), 'title', 'is invalid')
    .check(/^#[0-9A-Fa-f]{6}$/.test(color), 'color', 'must be a valid color code');
};
