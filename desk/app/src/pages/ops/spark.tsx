import type { ReactNode } from "react";

export interface Point {
  at: number;
  value: number;
}

/** A small curve without axes: whether it moves, and which way. */
export function Spark({ points, label }: { points: readonly Point[]; label: string }): ReactNode {
  const width = 200;
  const height = 36;
  if (points.length < 2) return <div className="spark" aria-hidden="true" />;
  const values = points.map((one) => one.value);
  const low = Math.min(...values);
  const span = Math.max(...values) - low || 1;
  const from = points[0]!.at;
  const long = points[points.length - 1]!.at - from || 1;
  const drawn = points.map(({ at, value }) => `${(((at - from) / long) * width).toFixed(1)},${(height - 3 - ((value - low) / span) * (height - 6)).toFixed(1)}`);
  return (
    <svg className="spark" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
      <polyline points={drawn.join(" ")} fill="none" stroke="currentColor" strokeWidth="1.5" vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
