import { SegmentedChoice } from '../../parts/layout/segmented-choice.js';

interface YearChoiceProps {
  readonly years: readonly string[];
  readonly year: string;
  readonly onChange: (year: string) => void;
}

const MAX_VISIBLE = 4;

/** Buttons for few years, and a list for many. */
export function YearChoice({ years, year, onChange }: YearChoiceProps) {
  if (years.length <= MAX_VISIBLE) {
    const options = years.map((value) => ({ value, label: value }));
    return <SegmentedChoice label="Year" options={options} value={year} onChange={onChange} />;
  }
  return (
    <select aria-label="Year" value={year} onChange={(event) => onChange(event.target.value)}>
      {years.map((value) => (
        <option key={value}>{value}</option>
      ))}
    </select>
  );
}
