/** What the server lets one choose from, as options of a control. */
import { computed } from "@preact/signals";
import { capital } from "../ui/words";
import { server } from "./store";

/** Ways to blend a transition. */
export const blends = computed(() => (server.value?.blend_list ?? []).map(({ name, help }) => ({ value: name, label: capital(name), hint: help })));
