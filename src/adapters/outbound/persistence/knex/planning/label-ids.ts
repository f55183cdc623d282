/**
 * Labels of projects and of groups stand in tables of their own, and clients tell them apart by nothing but their ids: those of groups are
 * told with this much added, which no project comes near.
 */
export const GROUP_LABEL_IDS = 1_073_741_824;

/** The id of a label as everybody knows it, of its row in a project: a label of a group has the same in all of them. */
export const idOfLabel = ({
  id,
  group_label_id: groupLabelId = null,
}: {
  readonly id: number;
  readonly group_label_id?: number | null;
}): number => (groupLabelId === null ? id : GROUP_LABEL_IDS + groupLabelId);

/** The id of the row in `group_labels` of a label that is known by this id; undefined for one of a project. */
export const groupLabelIn = (id: number): number | undefined =>
  id > GROUP_LABEL_IDS ? id - GROUP_LABEL_IDS : undefined;
