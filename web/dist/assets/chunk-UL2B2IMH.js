function r(e){"serviceWorker"in navigator&&isSecureContext&&navigator.serviceWorker.register(`${e}/worker.js`,{scope:e}).catch(()=>{})}export{r as a};
