// Cards of a board are dragged to another column, or to another place in theirs. Without it the form of each card moves it.
const cardOf = (target) => target.closest?.('[data-card]') ?? null;
let dragged = null;
let mark = null;

/** Those of a column, but for the dragged one. */
const cardsIn = (column) => [...column.querySelectorAll('[data-card]')].filter((card) => card !== dragged);

/** The first of them whose middle is below the pointer. */
const cardBelow = (column, y) =>
  cardsIn(column).find((card) => {
    const { top, height } = card.getBoundingClientRect();
    return top + height / 2 > y;
  }) ?? null;

/** Shows where the card would stand. */
const showMark = (column, below) => {
  mark ??= Object.assign(document.createElement('div'), { className: 'drop-mark' });
  if (below !== null) below.before(mark);
  else (column.querySelector('ul') ?? column).append(mark);
};

const end = () => {
  mark?.remove();
  dragged?.classList.remove('dragged');
  dragged = null;
};

/** By the form of the card: what it may not do is refused as if it was sent by hand. */
const drop = (column, below) => {
  const form = dragged.querySelector('form');
  const { elements } = form;
  const there = cardsIn(column);
  const above = below === null ? there.at(-1) : there[there.indexOf(below) - 1];
  elements.above.value = above?.dataset.card ?? '';
  elements.below.value = below?.dataset.card ?? '';
  // Its own column is not among those that it is offered.
  elements.to.append(new Option('', column.dataset.column));
  elements.to.value = column.dataset.column;
  form.submit();
};

const board = document.querySelector('[data-board]');
for (const card of board.querySelectorAll('[data-card]')) {
  card.draggable = true;
  for (const link of card.querySelectorAll('a')) link.draggable = false;
}
board.addEventListener('dragstart', (event) => {
  dragged = cardOf(event.target);
  if (dragged === null) return;
  dragged.classList.add('dragged');
  event.dataTransfer.effectAllowed = 'move';
});
board.addEventListener('dragend', end);
for (const column of board.querySelectorAll('[data-column]')) {
  column.addEventListener('dragover', (event) => {
    if (dragged === null) return;
    event.preventDefault();
    showMark(column, cardBelow(column, event.clientY));
  });
  column.addEventListener('drop', (event) => {
    if (dragged === null) return;
    event.preventDefault();
    drop(column, cardBelow(column, event.clientY));
  });
}
