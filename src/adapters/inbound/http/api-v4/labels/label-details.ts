import { Type } from '@sinclair/typebox';
import type { PlanningReader } from '../../../../../application/planning/ports/planning-readers.js';
import type { PageInBatches } from '../../../../../application/shared/page-in-batches.js';
import type { Label } from '../../../../../domain/planning/label.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { LabelSchema, presentLabel } from './label-schema.js';

interface Labelled {
  readonly id: number;
  readonly projectId: ProjectId;
  readonly labels: readonly string[];
}

/** What lists show of labels: their names, or where it is asked for all that there is to tell of them. */
export const LABELS_SHOWN = Type.Union([Type.Array(Type.String()), Type.Array(LabelSchema)]);

export const WITH_LABELS_DETAILS = Type.Boolean({
  default: false,
  description: 'Whether labels are objects, with their color and description, instead of names',
});

export type WithLabelDetails<Item> = Item & {
  /** Where they were asked for. */
  readonly labelDetails?: readonly Label[];
};

/** The items of a page, where it is asked for with all that there is to tell of their labels: one statement a batch. */
export const withLabelDetails = <Item extends Labelled>(
  reader: Pick<PlanningReader, 'labelsOn'>,
  wanted: boolean,
  { batches, ...rest }: PageInBatches<Item>,
): PageInBatches<WithLabelDetails<Item>> => ({ ...rest, batches: wanted ? detailed(reader, batches) : batches });

async function* detailed<Item extends Labelled>(
  reader: Pick<PlanningReader, 'labelsOn'>,
  batches: AsyncIterable<readonly Item[]>,
): AsyncGenerator<readonly WithLabelDetails<Item>[], void, undefined> {
  for await (const items of batches) {
    const found = await reader.labelsOn(items.map(({ id }) => id));
    const byName = new Map(found.map((label) => [`${label.projectId} ${label.name}`, label]));
    yield items.map((item) => ({
      ...item,
      labelDetails: item.labels.flatMap((name) => byName.get(`${item.projectId} ${name}`) ?? []),
    }));
  }
}

/** Names, or objects where they were asked for. */
export const presentLabels = ({ labels, labelDetails }: WithLabelDetails<Labelled>) =>
  labelDetails?.map(presentLabel) ?? labels;
