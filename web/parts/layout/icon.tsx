/** The paths of the icons, on a grid of 16 × 16. */
const PATHS = {
  forward: 'M3 8h10M9 4l4 4-4 4',
  bell: 'M4 7a4 4 0 0 1 8 0c0 3.5 1.5 4.5 1.5 4.5h-11S4 10.5 4 7ZM6.5 13.500a1.6 1.6 0 0 0 3 0',
  calendar: 'M2.5 4h11v9.500h-11ZM2.5 7h11M5.5 2v3M10.5 2v3',
  chart: 'M2.5 2.500v11h11M5 10l2.5-3 2 1.500L13 4.5',
  check: 'M3 8.500l3.5 3.500L13 4.5',
  'chevron-down': 'M4 6l4 4 4-4',
  'chevron-right': 'M6 4l4 4-4 4',
  clock: 'M8 1.800a6.2 6.2 0 1 1 0 12.400A6.2 6.2 0 0 1 8 1.800ZM8 4.500V8l2.5 1.5',
  close: 'M4 4l8 8M12 4l-8 8',
  code: 'M5.5 4.5 2 8l3.5 3.500M10.5 4.5 14 8l-3.5 3.5',
  collection: 'M8 2l6 3-6 3-6-3ZM2 8l6 3 6-3M2 11l6 3 6-3',
  copy: 'M5.5 5.500h8v8h-8ZM10.5 5.500v-3h-8v8h3',
  download: 'M8 2v8M4.5 7 8 10.5 11.5 7M2.5 13.500h11',
  endpoint: 'M2.5 3h11v4h-11ZM2.5 9h11v4h-11ZM5 5h.01M5 11h.01',
  external: 'M6 3H3v10h10v-3M9 2.500h4.500V7M13 3 7.5 8.5',
  eye: 'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8ZM8 6a2 2 0 1 1 0 4 2 2 0 0 1 0-4Z',
  filter: 'M2 3h12L9.5 8.500V13l-3-1.500v-3Z',
  info: 'M8 1.800a6.2 6.2 0 1 1 0 12.400A6.2 6.2 0 0 1 8 1.800ZM8 7.500V11M8 5h.01',
  link: 'M6.5 9.500a2.8 2.8 0 0 0 4 0l2.2-2.200a2.8 2.8 0 0 0-4-4l-1 1M9.5 6.500a2.8 2.8 0 0 0-4 0L3.3 8.700a2.8 2.8 0 0 0 4 4l1-1',
  menu: 'M2.5 4.500h11M2.5 8h11M2.5 11.500h11',
  minus: 'M3 8h10',
  moon: 'M13.5 9.500A6 6 0 0 1 6.5 2.500a6 6 0 1 0 7 7Z',
  more: 'M3 8h.01M8 8h.01M13 8h.01',
  page: 'M3.5 1.800h6l3 3v9.400h-9ZM9.5 1.800v3h3M6 8.500h4M6 11h4',
  person: 'M8 2a3 3 0 1 1 0 6 3 3 0 0 1 0-6ZM2.5 14c0-3 2.5-4.5 5.5-4.500s5.5 1.5 5.5 4.5',
  play: 'M4.5 2.500v11L13 8Z',
  plus: 'M8 3v10M3 8h10',
  refresh: 'M13.5 3v3.500H10M13.2 6.500A5.5 5.5 0 1 0 13.5 9',
  repository: 'M3.5 12.500v-9A1.5 1.5 0 0 1 5 2h7.500v9H5a1.5 1.5 0 0 0 0 3h7.500v-3M6 5h4',
  search: 'M7 2.500a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9ZM10.5 10.5 14 14',
  settings:
    'M2.5 4.500h6M11.5 4.500h2M2.5 11.500h2M7.5 11.500h6M10 3a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3ZM6 10a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3Z',
  share: 'M8 10V2M5 4.5 8 1.800l3 2.700M4.5 7H3v7h10V7h-1.5',
  sort: 'M5 3v10M2.5 10.5 5 13l2.5-2.500M11 13V3M8.5 5.5 11 3l2.5 2.5',
  star: 'M8 1.800l1.9 3.9 4.3.6-3.1 3 .7 4.300L8 11.600l-3.8 2 .7-4.3-3.1-3 4.3-.600Z',
  sun: 'M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6ZM8 1v1.500M8 13.500V15M1 8h1.500M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1',
  system: 'M2 3h12v8H2ZM5.5 14h5M8 11v3',
  table: 'M2 3h12v10H2ZM2 6.500h12M2 9.800h12M6.5 6.500V13',
  trash: 'M2.5 4.500h11M6 4.500v-2h4v2M4 4.500l.6 9h6.800l.6-9M6.7 7v4M9.3 7v4',
  warning: 'M8 2 14.5 13.500h-13ZM8 6.500v3.500M8 12h.01',
} as const;

export type IconName = keyof typeof PATHS;

/** An icon next to a text with the same meaning. An icon alone needs a label: see `IconButton`. */
export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
