/**
 * A secret that was handed over in the environment; undefined where there is none. It is taken out of there, so that no
 * process started from here on inherits it, and nothing that prints its environment shows it.
 */
export function takeSecret(environment: NodeJS.ProcessEnv, variable: string): string | undefined {
  const { [variable]: given } = environment;
  delete environment[variable];
  return given === '' ? undefined : given;
}
