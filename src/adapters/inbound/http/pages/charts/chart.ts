import { madeOnce } from '../../../../../domain/shared/made-once.js';
import type { Span } from './time-spans.js';

/** The name of a color of the stylesheet. */
export type Tone = 'critical' | 'high' | 'medium' | 'low' | 'info' | 'unknown' | 'all' | 'done';

/** What is counted, span by span; null where it is still to come. */
export interface Series {
  readonly name: string;
  readonly tone: Tone;
  readonly values: readonly (number | null)[];
}

export interface ChartData {
  /** What the chart shows, as a sentence without its end: it names the picture and its table. */
  readonly caption: string;
  readonly spans: readonly Span[];
  readonly series: readonly Series[];
}

/** Places are percentages of the picture, so that its texts stay as large as they are however wide it is. */
interface Bar {
  readonly x: string;
  readonly y: string;
  readonly width: string;
  readonly height: string;
  readonly tone: Tone;
  readonly title: string;
}

interface Line {
  readonly x1: string;
  readonly y1: string;
  readonly x2: string;
  readonly y2: string;
  readonly tone: Tone;
}

/** What the template draws: a picture with its axes, and the same values as a table. */
export interface Chart {
  readonly caption: string;
  /** The picture in a sentence, for those who don't see it. */
  readonly summary: string;
  readonly grid: readonly { readonly y: string; readonly label: string }[];
  readonly ticks: readonly { readonly x: string; readonly anchor: string; readonly label: string }[];
  readonly bars: readonly Bar[];
  readonly lines: readonly Line[];
  readonly series: readonly Series[];
  readonly rows: readonly { readonly label: string; readonly values: readonly (number | null)[] }[];
}

/** Where the values are drawn: around it is room for the axes. */
const AREA = { left: 9, right: 99, top: 5, bottom: 86 };
const WIDTH = AREA.right - AREA.left;
const HEIGHT = AREA.bottom - AREA.top;
/** Of its span, as much as a bar takes. */
const BAR_SHARE = 0.8;
const MOST_STEPS = 4;
/** Of days, and of days with times, which take more room. */
const [MOST_TICKS, MOST_LONG_TICKS, LONG_TICK] = [4, 3, 6];
const STEPS = [1, 2, 5];
/** Of the picture, in percent: a few bars are no blocks. */
const WIDEST_BAR = 8;

const percent = (value: number): string => `${Math.round(value * 100) / 100}%`;
const atHeight = (share: number): number => AREA.bottom - share * HEIGHT;
const numbers = madeOnce(() => new Intl.NumberFormat('en-US'));

/** The values of the vertical axis: whole, from nothing to the highest or a little more. */
const axisOf = (highest: number): readonly number[] => {
  const rough = Math.max(highest, 1) / MOST_STEPS;
  const power = 10 ** Math.max(0, Math.floor(Math.log10(rough)));
  const step = (STEPS.find((each) => each * power >= rough) ?? 10) * power;
  const count = Math.ceil(Math.max(highest, 1) / step);
  return Array.from({ length: count + 1 }, (_, index) => index * step);
};

const gridOf = (axis: readonly number[]): Chart['grid'] => {
  const top = axis.at(-1) ?? 1;
  return axis.map((value) => ({ y: percent(atHeight(value / top)), label: numbers().format(value) }));
};

/** The middle of a span. */
const centerOf = (index: number, count: number): number => AREA.left + ((index + 0.5) / count) * WIDTH;

/** A few spans named below the picture, the first and the last among them. */
const ticksOf = (spans: readonly Span[]): Chart['ticks'] => {
  const isLong = spans.some(({ tick }) => tick.length > LONG_TICK);
  const count = Math.min(isLong ? MOST_LONG_TICKS : MOST_TICKS, spans.length);
  const named = Array.from({ length: count }, (_, index) =>
    count === 1 ? 0 : Math.round((index * (spans.length - 1)) / (count - 1)),
  );
  return named.map((span, index) => {
    if (count > 1 && index === 0) return { x: percent(AREA.left), anchor: 'start', label: spans[span]?.tick ?? '' };
    if (count > 1 && index === count - 1)
      return { x: percent(AREA.right), anchor: 'end', label: spans[span]?.tick ?? '' };
    return { x: percent(centerOf(span, spans.length)), anchor: 'middle', label: spans[span]?.tick ?? '' };
  });
};

const sumOf = (values: readonly (number | null)[]): number =>
  values.reduce<number>((sum, each) => sum + (each ?? 0), 0);

const frameOf = ({ caption, spans, series }: ChartData, axis: readonly number[], summary: string) => ({
  caption,
  summary: `${caption}. ${summary}`,
  grid: gridOf(axis),
  ticks: ticksOf(spans),
  series,
  rows: spans.map(({ label }, index) => ({ label, values: series.map(({ values }) => values[index] ?? null) })),
});

/** Counts of spans as bars; those of several series stand on each other, the first at the bottom. */
export const barChart = (data: ChartData): Chart => {
  const { spans, series } = data;
  const totals = spans.map((_, index) => sumOf(series.map(({ values }) => values[index] ?? 0)));
  const highest = Math.max(...totals, 0);
  const axis = axisOf(highest);
  const top = axis.at(-1) ?? 1;
  const width = Math.min((WIDTH / spans.length) * BAR_SHARE, WIDEST_BAR);
  const bars = spans.flatMap(({ label }, index) => {
    let below = 0;
    return series.flatMap(({ name, tone, values }): readonly Bar[] => {
      const value = values[index] ?? 0;
      if (value === 0) return [];
      below += value;
      return [
        {
          x: percent(centerOf(index, spans.length) - width / 2),
          y: percent(atHeight(below / top)),
          width: percent(width),
          height: percent((value / top) * HEIGHT),
          tone,
          title: `${label}: ${numbers().format(value)} ${name}`,
        },
      ];
    });
  });
  const busiest = spans[totals.indexOf(highest)]?.label ?? '';
  const most = highest === 0 ? '' : `, the most ${numbers().format(highest)} (${busiest})`;
  const summary = `${numbers().format(sumOf(totals))} in all${most}.`;
  return { ...frameOf(data, axis, summary), bars, lines: [] };
};

/** How counts grow, as a line of each series from span to span. */
export const lineChart = (data: ChartData): Chart => {
  const { spans, series } = data;
  const axis = axisOf(Math.max(...series.flatMap(({ values }) => values.map((value) => value ?? 0)), 0));
  const top = axis.at(-1) ?? 1;
  const place = (value: number, index: number) => ({
    x: percent(centerOf(index, spans.length)),
    y: percent(atHeight(value / top)),
  });
  const lines = series.flatMap(({ tone, values }) => {
    const points = values.flatMap((value, index) => (value === null ? [] : [place(value, index)]));
    const [only] = points;
    // One point is a line of no length, whose round ends show.
    const ends = points.length === 1 && only !== undefined ? [only, only] : points;
    return ends.slice(1).map((end, index): Line => {
      const begin = ends[index] ?? end;
      return { x1: begin.x, y1: begin.y, x2: end.x, y2: end.y, tone };
    });
  });
  const last = series.map(({ name, values }) => {
    const value = values.findLast((each) => each !== null) ?? 0;
    return `${name}: ${numbers().format(value)}`;
  });
  return { ...frameOf(data, axis, `At the end, ${last.join(', ')}.`), bars: [], lines };
};
