import type { AnchorHTMLAttributes, ButtonHTMLAttributes } from 'react';
import styles from './button.module.css';
import { Icon, type IconName } from './icon.js';

interface Look {
  /** `primary`: the main action of a page or form, at most one. `quiet`: no border. Default `secondary`. */
  readonly variant?: 'primary' | 'secondary' | 'quiet' | 'danger';
  readonly size?: 'small' | 'medium';
  /** An icon before the text. */
  readonly icon?: IconName;
}

type ButtonProps = Look & ButtonHTMLAttributes<HTMLButtonElement>;

export function Button({ variant, size, icon, className, children, ...rest }: ButtonProps) {
  return (
    <button type="button" {...rest} className={buttonClass({ variant, size }, className)}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** A link to a file or another page of the service that looks like a button, such as a download. */
export function ButtonLink({
  variant,
  size,
  icon,
  className,
  children,
  ...rest
}: Look & AnchorHTMLAttributes<HTMLAnchorElement>) {
  return (
    <a {...rest} className={buttonClass({ variant, size }, className)}>
      {icon && <Icon name={icon} />}
      {children}
    </a>
  );
}

/** The classes of a button, for the `Link` of the router. */
export function buttonClass(
  { variant = 'secondary', size = 'medium' }: { readonly [Name in 'variant' | 'size']?: Look[Name] | undefined } = {},
  className?: string,
): string {
  return [styles.button, styles[variant], styles[size], className].filter(Boolean).join(' ');
}

type IconButtonProps = Omit<ButtonProps, 'children' | 'icon'> & {
  readonly icon: IconName;
  /** The accessible name, also shown as a tooltip. */
  readonly label: string;
};

/** A button that shows only an icon. */
export function IconButton({ icon, label, variant = 'quiet', size, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      {...rest}
      className={buttonClass({ variant, size }, [styles.square, className].filter(Boolean).join(' '))}
    >
      <Icon name={icon} />
    </button>
  );
}
