function i({name:n,location:t}){return[n,t.city].filter(Boolean).join(", ")}export{i as a};
