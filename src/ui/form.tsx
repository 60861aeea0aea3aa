import type { Html } from './page.tsx';

/** A list of choices with its label. @param choices values with their texts */
export function Select(props: {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly choices: Iterable<readonly [value: string, text: string]>;
}): Html {
  const { choices, label, name, value } = props;
  return (
    <label>
      {label}
      <select name={name}>
        {[...choices].map(([choice, text]) => (
          <option value={choice} selected={choice === value && choice !== ''}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
