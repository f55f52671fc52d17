import type { ReactNode } from "react";

/** A small curve without axes: whether it moves, and which way. */
export function Spark({ values, label }: { values: number[]; label: string }): ReactNode {
  const width = 200;
  const height = 36;
  if (values.length < 2) return <div className="spark" aria-hidden="true" />;
  const low = Math.min(...values);
  const span = Math.max(...values) - low || 1;
  const points = values.map((value, i) => `${((i / (values.length - 1)) * width).toFixed(1)},${(height - 3 - ((value - low) / span) * (height - 6)).toFixed(1)}`);
  return (
    <svg className="spark" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
      <polyline points={points.join(" ")} fill="none" stroke="currentColor" strokeWidth="1.5" vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
