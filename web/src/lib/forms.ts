/** Forms that send a request: their fields, and a toast with the outcome. */

import { cents, plain } from "./money";
import { requests } from "./state/requests";
import { refuse, toast } from "./state/toasts";
import { t } from "./text/language";

/** The pattern of an amount field: cents stand after a point or, as some languages write them, after a comma. */
export const AMOUNT = "[0-9]+([.,][0-9]{2})?";

/** A typed amount as the server reads it. */
export const amount = (text: string): string => plain(cents(text.replace(/,(?=\d\d$)/, ".")));

/** The value of the input that an event is about. */
export const inputValue = (event: Event): string => (event.target as HTMLInputElement).value;

/** Whether the checkbox that an event is about is checked. */
export const isChecked = (event: Event): boolean => (event.target as HTMLInputElement).checked;

/** Post a request and show `done`, or the server's refusal, in a toast; true where it was accepted. */
export async function post(path: string, body: Record<string, unknown>, done: string): Promise<boolean> {
  try {
    const answer = await requests.send<{ second?: string; consent?: string; words?: string }>("POST", path, body);
    // The measure may wait for another person, or the payment for its player.
    if (answer.second) toast(t("Proposed: another person signs."));
    else toast(answer.consent && answer.words ? answer.words : done);
    return true;
  } catch (error) {
    refuse(error);
    return false;
  }
}

/** A submit handler that sends the fields of a form, and empties the form where the request was accepted. */
export function onSubmit(
  send: (field: (name: string) => string, data: FormData) => Promise<boolean>,
  done: () => void,
): (event: SubmitEvent) => Promise<void> {
  return async (event) => {
    const { form, data, field } = readForm(event);
    if (!(await send((name) => field(name).trim(), data))) return;
    // A field may be called "reset" itself.
    HTMLFormElement.prototype.reset.call(form);
    done();
  };
}

/** Keep the browser from sending the form, and read its fields. */
export function readForm(event: SubmitEvent): {
  form: HTMLFormElement;
  data: FormData;
  field: (name: string) => string;
} {
  event.preventDefault();
  const form = event.target as HTMLFormElement;
  const data = new FormData(form);
  return { form, data, field: (name) => String(data.get(name) ?? "") };
}
